import { type Static, Type } from '@vid/protocol'
import { fail } from '../errors.ts'

const USD = Type.Number({ minimum: 0 })

/** Prices of one region in US dollars, without taxes, discounts and free allowances. */
export const RegionPricesSchema = Type.Object(
  {
    /** GB-second of an x86 function, within the first 6 billion of a month; a GB is 1024 MB. */
    computeGbSecond: USD,
    /** Call of the function. */
    call: USD,
    /** GB-second of /tmp above the free 512 MB. */
    temporaryStorageGbSecond: USD,
    /** State transition of a Standard workflow; a retry is another one. */
    stateTransition: USD,
    /** PUT, COPY, POST or LIST request to S3. */
    s3Write: USD,
    /** GET or HEAD request to S3. */
    s3Read: USD,
    /** GB stored in S3 Standard for a month. */
    s3GbMonth: USD,
    /** GB transferred from S3 to the internet; left out if unknown. Not part of the cost of a render. */
    transferOutGb: Type.Optional(USD),
  },
  { additionalProperties: false },
)
export type RegionPrices = Static<typeof RegionPricesSchema>

/** Prices of regions, with the day on which they were valid. */
export const PricesSchema = Type.Object(
  {
    /** Day of the figures, such as 2026-09-28. */
    date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
    /** Sources of the figures. */
    sources: Type.Optional(Type.Array(Type.String())),
    regions: Type.Record(Type.String({ minLength: 1 }), RegionPricesSchema),
  },
  { additionalProperties: false },
)
export type Prices = Static<typeof PricesSchema>

/** The prices of a region; fails for a region without prices. */
export const pricesOf = (prices: Prices, region: string): RegionPrices => {
  const rates = Object.hasOwn(prices.regions, region) ? prices.regions[region] : undefined
  if (rates) return rates
  throw fail('VID_LAMBDA_PRICES_REGION', { region, known: Object.keys(prices.regions).sort() })
}
