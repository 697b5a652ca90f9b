import { parseAs, Type } from '@vid/protocol'
import { type NamedBucket, putObject, readObjectText, removeObjects, type S3Bucket, withBucket } from '@vid/s3'
import { DEFAULT_FORMAT } from '../contract/formats.ts'
import { FORMATS_KEY } from '../contract/object-keys.ts'
import { fail } from '../errors.ts'

const FormatsSchema = Type.Object({ formats: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }) })

const MAX_BYTES = 2 ** 16

/** The formats of the function as recorded by the last deployment; undefined if unknown. */
const readFormats = async (place: S3Bucket): Promise<readonly string[] | undefined> =>
  parseAs(FormatsSchema, (await readObjectText(place, FORMATS_KEY, MAX_BYTES)) ?? '')?.formats

/**
 * Runs an update of a stack whose function then supports `formats`; undefined if unknown. If the formats change, their
 * record is removed until the update has succeeded and `isOwn` confirms that no other deployment came between, so that
 * no render is refused because of an outdated record.
 */
export const updateFormats = async <T>(
  place: S3Bucket,
  formats: readonly string[] | undefined,
  update: () => Promise<T>,
  isOwn: (updated: T) => boolean = () => true,
): Promise<T> => {
  const text = formats && `${JSON.stringify({ formats: [...new Set(formats)].sort() })}\n`
  const current = await readObjectText(place, FORMATS_KEY, MAX_BYTES)
  if (current === text) return update()
  if (current !== undefined) await removeObjects(place, [FORMATS_KEY])
  const updated = await update()
  if (text !== undefined && isOwn(updated)) await putObject(place, FORMATS_KEY, text)
  return updated
}

/** The format of a render. */
export interface WantedFormat {
  readonly format?: string | undefined
  /** A preset of the function may add formats that are unknown here. */
  readonly preset?: string | undefined
}

/** Refuses a format that the function of a stack does not support, if its formats are known. */
export const refuseFormat = async (
  place: S3Bucket,
  stateMachineArn: string,
  { format = DEFAULT_FORMAT, preset }: WantedFormat,
): Promise<void> => {
  if (preset !== undefined) return
  const formats = await readFormats(place)
  if (formats === undefined || formats.includes(format)) return
  // A state machine has the name of its stack.
  const stackName = stateMachineArn.split(':').at(-1) ?? ''
  throw fail('VID_LAMBDA_FORMAT', { stackName, format, known: formats })
}

/** The stack that a format is checked for. */
export interface FormatPlace extends NamedBucket {
  /** Output `RenderBucketName` of the stack. */
  readonly bucketName: string
  /** Output `RenderStateMachineArn` of the stack. */
  readonly stateMachineArn: string
}

/** Refuses an unsupported format before anything is uploaded: VID_LAMBDA_FORMAT lists the supported ones. */
export const checkStackFormat = ({ stateMachineArn, ...bucket }: FormatPlace, request: WantedFormat): Promise<void> =>
  withBucket(bucket, (place) => refuseFormat(place, stateMachineArn, request))
