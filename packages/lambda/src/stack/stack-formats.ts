import { parseAs, Type } from '@vid/kernel'
import { createS3Client, putObject, readText, removeObjects, type S3Bucket } from '@vid/s3'
import { FORMATS_KEY } from '../contract/object-keys.ts'
import { fail } from '../errors.ts'
import { DEFAULT_FORMAT } from '../renders/validate-config.ts'

const FormatsSchema = Type.Object({ formats: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }) })

const MAX_BYTES = 2 ** 16

/** Formats of the function as the last deployment has written them; undefined where they are not known. */
const readFormats = async (place: S3Bucket): Promise<readonly string[] | undefined> =>
  parseAs(FormatsSchema, (await readText(place, FORMATS_KEY, MAX_BYTES)) ?? '')?.formats

/**
 * Runs the update of a stack whose function makes `formats` afterwards; undefined where that is not known. When they
 * change, the bucket names none until the update has succeeded and `isOwn` says that no other deployment came between: a
 * render is never refused by what is no longer true.
 */
export const updateFormats = async <T>(
  place: S3Bucket,
  formats: readonly string[] | undefined,
  update: () => Promise<T>,
  isOwn: (updated: T) => boolean = () => true,
): Promise<T> => {
  const text = formats && `${JSON.stringify({ formats: [...new Set(formats)].sort() })}\n`
  const current = await readText(place, FORMATS_KEY, MAX_BYTES)
  if (current === text) return update()
  if (current !== undefined) await removeObjects(place, [FORMATS_KEY])
  const updated = await update()
  if (text !== undefined && isOwn(updated)) await putObject(place, FORMATS_KEY, text)
  return updated
}

/** A render as far as its format is concerned. */
export interface WantedFormat {
  readonly format?: string | undefined
  /** A preset of the function may bring formats that are unknown here. */
  readonly preset?: string | undefined
}

/** Refuses a format that the function of a stack does not make, where its formats are known. */
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

/** Where a format is asked for. */
export interface FormatPlace {
  /** Output `RenderBucketName` of the stack. */
  readonly bucketName: string
  /** Output `RenderStateMachineArn` of the stack. */
  readonly stateMachineArn: string
  readonly region?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Refuses a format that the stack does not make, before anything is uploaded: VID_LAMBDA_FORMAT names those that it makes. */
export const checkStackFormat = async (
  { bucketName, stateMachineArn, region, signal }: FormatPlace,
  request: WantedFormat,
): Promise<void> => {
  const client = await createS3Client({ region })
  try {
    await refuseFormat({ client, bucket: bucketName, signal }, stateMachineArn, request)
  } finally {
    client.destroy()
  }
}
