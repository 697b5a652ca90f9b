import { definePreset } from '@vid/config'
import file from '@vid/deliver-file'
import s3 from '@vid/deliver-s3'
import segmentStore from '@vid/store-s3'

type DeliveryOptions = Parameters<typeof s3>[0]

/** What results are delivered with, and whether finished segments are kept beside them. */
export type AwsOptions = DeliveryOptions & {
  /**
   * Keeps finished segments in the bucket, for every machine of a team, below `segments/` or the prefix that is given;
   * default false, since the bucket needs a lifecycle rule that removes them.
   */
  readonly segments?: boolean | string
}

/** Options that say which bucket it is, on which server, and for whom. */
const PLACE = [
  'bucket',
  'region',
  'endpoint',
  'forcePathStyle',
  'accessKeyId',
  'secretAccessKey',
  'sessionToken',
] as const

const placeOf = (options: DeliveryOptions) =>
  Object.fromEntries(
    PLACE.map((name) => [name, options[name]]).filter(([, value]) => value !== undefined),
  ) as Pick<DeliveryOptions, (typeof PLACE)[number]>

/** The preset `aws`: results go to the output path and then to S3; a team may share finished segments there. */
export const aws = ({ segments = false, ...delivery }: AwsOptions) => {
  const prefix = typeof segments === 'string' && { prefix: segments }
  return definePreset({
    name: 'aws',
    deliveries: [file(), s3(delivery)],
    ...(segments !== false && { store: segmentStore({ ...placeOf(delivery), ...prefix }) }),
  })
}

export default aws
