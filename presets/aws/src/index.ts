import { definePreset, type Preset } from '@vid/config'
import file from '@vid/deliver-file'
import s3 from '@vid/deliver-s3'
import segmentStore from '@vid/store-s3'
import lambdaTarget from '@vid/target-lambda'

type DeliveryOptions = Parameters<typeof s3>[0]

/** What results are delivered with, where finished segments are kept, and where renders run. */
export type AwsOptions = DeliveryOptions & {
  /**
   * Keeps finished segments in the bucket, for every machine of a team, below `segments/` or the prefix that is given;
   * default false, since the bucket needs a lifecycle rule that removes them.
   */
  readonly segments?: boolean | string
  /**
   * Renders on AWS Lambda, on the stack of `vid lambda deploy`, unless `--target local` is given: true, or the options of
   * `@vid/target-lambda`; default false.
   */
  readonly lambda?: boolean | Parameters<typeof lambdaTarget>[0]
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
  Object.fromEntries(PLACE.map((name) => [name, options[name]]).filter(([, value]) => value !== undefined)) as Pick<
    DeliveryOptions,
    (typeof PLACE)[number]
  >

/** The target of renders on AWS, in the region of the bucket unless its options name another. */
const targetOf = (lambda: AwsOptions['lambda'], { region }: DeliveryOptions) => {
  if (!lambda) return {}
  const options = { ...(region !== undefined && { region }), ...(lambda !== true && lambda) }
  return { targets: { aws: lambdaTarget(options) }, target: 'aws' }
}

/**
 * The preset `aws`: results go to the output path and then to S3; a team may share finished segments there, and render on
 * Lambda.
 */
export const aws = ({ segments = false, lambda = false, ...delivery }: AwsOptions): Preset<'aws'> => {
  const prefix = typeof segments === 'string' && { prefix: segments }
  return definePreset({
    name: 'aws',
    deliveries: [file(), s3(delivery)],
    ...(segments !== false && { store: segmentStore({ ...placeOf(delivery), ...prefix }) }),
    ...targetOf(lambda, delivery),
  })
}

export default aws
