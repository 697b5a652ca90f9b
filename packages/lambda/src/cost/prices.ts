import { type Static, Type } from '@vid/kernel'
import { fail } from '../errors.ts'

const USD = Type.Number({ minimum: 0 })

/** Prices of one region in US dollars, without taxes, discounts and free allowances. */
export const RegionPricesSchema = Type.Object(
  {
    /** GB-second of an x86 function, of the first 6 billion in a month; a GB is 1024 MB. */
    computeGbSecond: USD,
    /** Call of the function. */
    call: USD,
    /** GB-second of /tmp above the 512 MB that are free. */
    temporaryStorageGbSecond: USD,
    /** State that a Standard workflow enters; a retry enters it again. */
    stateTransition: USD,
    /** PUT, COPY, POST or LIST request to S3. */
    s3Write: USD,
    /** GET or HEAD request to S3. */
    s3Read: USD,
    /** GB that S3 Standard keeps for a month. */
    s3GbMonth: USD,
    /** GB that leaves S3 for the internet; left out where it is unknown. No part of the cost of a render. */
    transferOutGb: Type.Optional(USD),
  },
  { additionalProperties: false },
)
export type RegionPrices = Static<typeof RegionPricesSchema>

/** Prices of regions, and when they were true. */
export const PricesSchema = Type.Object(
  {
    /** Day of the figures: 2026-09-28. */
    date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
    /** Where the figures are from. */
    sources: Type.Optional(Type.Array(Type.String())),
    regions: Type.Record(Type.String({ minLength: 1 }), RegionPricesSchema),
  },
  { additionalProperties: false },
)
export type Prices = Static<typeof PricesSchema>

/** Prices of a region; a region without prices is refused rather than guessed. */
export const pricesOf = (prices: Prices, region: string): RegionPrices => {
  const rates = Object.hasOwn(prices.regions, region) ? prices.regions[region] : undefined
  if (rates) return rates
  throw fail('VID_LAMBDA_PRICES_REGION', { region, known: Object.keys(prices.regions).sort() })
}
