import type { Prices, RegionPrices } from './prices.ts'

/** Prices that are equal in all regions below. */
const EVERYWHERE = { computeGbSecond: 0.0000166667, call: 0.0000002, stateTransition: 0.000025 }

/** S3 in North Virginia, Ohio, Oregon and Ireland. */
const LOWEST_S3 = { s3Write: 0.000005, s3Read: 0.0000004, s3GbMonth: 0.023 }

const regions: Readonly<Record<string, RegionPrices>> = {
  'ap-northeast-1': {
    ...EVERYWHERE,
    temporaryStorageGbSecond: 0.000000037,
    transferOutGb: 0.114,
    s3Write: 0.0000047,
    s3Read: 0.00000037,
    s3GbMonth: 0.025,
  },
  'ap-southeast-1': {
    ...EVERYWHERE,
    temporaryStorageGbSecond: 0.000000037,
    s3Write: 0.000005,
    s3Read: 0.0000004,
    s3GbMonth: 0.025,
  },
  'ap-southeast-2': {
    ...EVERYWHERE,
    temporaryStorageGbSecond: 0.000000037,
    s3Write: 0.0000055,
    s3Read: 0.00000044,
    s3GbMonth: 0.025,
  },
  'eu-central-1': {
    ...EVERYWHERE,
    temporaryStorageGbSecond: 0.0000000367,
    transferOutGb: 0.09,
    s3Write: 0.0000054,
    s3Read: 0.00000043,
    s3GbMonth: 0.0245,
  },
  'eu-west-1': { ...EVERYWHERE, ...LOWEST_S3, temporaryStorageGbSecond: 0.000000034 },
  'eu-west-2': {
    ...EVERYWHERE,
    temporaryStorageGbSecond: 0.0000000358,
    transferOutGb: 0.09,
    s3Write: 0.0000053,
    s3Read: 0.00000042,
    s3GbMonth: 0.024,
  },
  'us-east-1': { ...EVERYWHERE, ...LOWEST_S3, temporaryStorageGbSecond: 0.0000000309, transferOutGb: 0.09 },
  'us-east-2': { ...EVERYWHERE, ...LOWEST_S3, temporaryStorageGbSecond: 0.0000000309 },
  'us-west-2': { ...EVERYWHERE, ...LOWEST_S3, temporaryStorageGbSecond: 0.0000000309 },
}

/**
 * List prices of AWS, collected in November 2026 from texts that quote AWS's price lists and pages; none was read from
 * AWS itself. docs/lambda-scale.md names the source of each figure and its age.
 */
export const knownPrices: Prices = {
  date: '2026-09-28',
  sources: [
    'https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AWSLambda/current/index.json',
    'https://calculator.aws/pricing/2.0/meteredUnitMaps/lambda/USD/current/lambda.json',
    'https://aws.amazon.com/step-functions/pricing/',
    'https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonS3/current/index.json',
  ],
  regions,
}
