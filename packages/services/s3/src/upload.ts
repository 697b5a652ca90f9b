import { createHash } from 'node:crypto'
import { type FileHandle, open, readFile, stat } from 'node:fs/promises'
import type { Warning } from '@vid/protocol'
import { runPool } from '@vid/system'
import { abortOptions, request, type S3Bucket } from './bucket.ts'
import { contentType } from './content-type.ts'
import { s3Reason, wasRepeated } from './failure.ts'
import { s3Warning } from './warnings.ts'

const MIB = 2 ** 20
/** S3's limit on the number of parts in an upload. */
const MAX_PARTS = 10_000
/** Time limit for cleaning up after a failed upload, in milliseconds. */
const ABORT_MS = 30_000

/** How a file is uploaded. */
export interface UploadOptions {
  /** MIME type; default by the name of the file's key. */
  readonly type?: string | undefined
  readonly cacheControl?: string | undefined
  /** Size of parts for larger files, in bytes; default 8 MiB, at least 5 MiB. */
  readonly partBytes?: number | undefined
  /** Parts uploaded at the same time, each held in memory; default 4. */
  readonly partsAtOnce?: number | undefined
  /** Called with the number of uploaded bytes after each part. */
  readonly onSent?: ((bytes: number) => void) | undefined
  /** Called if the parts of a failed upload could not be removed. */
  readonly warn?: ((warning: Warning) => void) | undefined
}

interface Part {
  readonly number: number
  readonly start: number
  readonly bytes: number
}

const partsOf = (bytes: number, preferredBytes: number): Part[] => {
  const size = Math.max(preferredBytes, Math.ceil(bytes / MAX_PARTS))
  return Array.from({ length: Math.ceil(bytes / size) }, (_, index) => ({
    number: index + 1,
    start: index * size,
    bytes: Math.min(size, bytes - index * size),
  }))
}

const readPart = async (handle: FileHandle, { start, bytes }: Part): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(bytes)
  const { bytesRead } = await handle.read(buffer, 0, bytes, start)
  if (bytesRead < bytes) throw new Error(`the file ended at byte ${start + bytesRead}`)
  return buffer
}

interface SentPart {
  readonly PartNumber: number
  readonly ETag: string | undefined
}

/** The ETag that servers compute for an object with these parts. */
const tagOfParts = (parts: readonly SentPart[]): string => {
  const hash = createHash('md5')
  for (const { ETag = '' } of parts) hash.update(Buffer.from(ETag.replaceAll('"', ''), 'hex'))
  return `"${hash.digest('hex')}-${parts.length}"`
}

const headersOf = (key: string, { type = contentType(key), cacheControl }: UploadOptions) => ({
  ContentType: type,
  ...(cacheControl !== undefined && { CacheControl: cacheControl }),
})

const uploadInParts = async (
  place: S3Bucket,
  key: string,
  { path, bytes }: { readonly path: string; readonly bytes: number },
  options: UploadOptions,
): Promise<void> => {
  const { client, bucket, signal = new AbortController().signal } = place
  const { partBytes = 8 * MIB, partsAtOnce = 4, onSent, warn } = options
  const s3 = await import('@aws-sdk/client-s3')
  const object = { Bucket: bucket, Key: key }
  const create = new s3.CreateMultipartUploadCommand({ ...object, ...headersOf(key, options) })
  const handle = await open(path)
  let upload: (typeof object & { readonly UploadId: string | undefined }) | undefined
  try {
    const { UploadId } = await client.send(create, abortOptions({ signal }))
    const uploadIds = { ...object, UploadId }
    upload = uploadIds
    const sentParts: SentPart[] = []
    let sentBytes = 0
    await runPool(partsOf(bytes, partBytes), partsAtOnce, signal, async (part, taskSignal) => {
      // Held in memory so that the client can retry the part.
      const Body = await readPart(handle, part)
      const command = new s3.UploadPartCommand({ ...uploadIds, PartNumber: part.number, Body })
      const { ETag } = await client.send(command, abortOptions({ signal: taskSignal }))
      sentParts.push({ PartNumber: part.number, ETag })
      sentBytes += part.bytes
      onSent?.(sentBytes)
    })
    const Parts = sentParts.sort((a, b) => a.PartNumber - b.PartNumber)
    const command = new s3.CompleteMultipartUploadCommand({ ...uploadIds, MultipartUpload: { Parts } })
    await client.send(command, abortOptions({ signal })).catch(async (thrown: unknown) => {
      // If the first attempt succeeded but its reply was lost, the upload no longer exists for the retry.
      if (!wasRepeated(thrown)) throw thrown
      const head = await client.send(new s3.HeadObjectCommand(object), abortOptions({ signal }))
      if (head.ETag !== tagOfParts(Parts)) throw thrown
    })
  } catch (thrown) {
    // Remaining parts cost money and are not listed, so remove them even after an abort.
    if (upload)
      await client
        .send(new s3.AbortMultipartUploadCommand(upload), { abortSignal: AbortSignal.timeout(ABORT_MS) })
        .catch((late: unknown) => {
          const facts = { upload: `${upload?.UploadId}`, address: `s3://${bucket}/${key}` }
          warn?.(s3Warning('VID_S3_PARTS_LEFT', { ...facts, reason: s3Reason(late) }))
        })
    throw thrown
  } finally {
    await handle.close()
  }
}

/**
 * Uploads a file, in parts if it is larger than one part; replaces an existing object. The object appears completely or
 * not at all, and a failed part is retried on its own.
 */
export const uploadFile = (place: S3Bucket, key: string, path: string, options: UploadOptions = {}): Promise<void> =>
  request(place, 'write', key, async () => {
    const { client, bucket, signal } = place
    const { size } = await stat(path)
    if (size > (options.partBytes ?? 8 * MIB)) return uploadInParts(place, key, { path, bytes: size }, options)
    const { PutObjectCommand } = await import('@aws-sdk/client-s3')
    const Body = await readFile(path, signal ? { signal } : {})
    const object = { Bucket: bucket, Key: key, ...headersOf(key, options), Body }
    await client.send(new PutObjectCommand(object), abortOptions(place))
    options.onSent?.(size)
  })
