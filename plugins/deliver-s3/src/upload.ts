import { type FileHandle, open, readFile } from 'node:fs/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { ArtifactFile } from '@vid/delivery'
import { describeCause, type Warning } from '@vid/kernel'
import { contentType } from './content-type.ts'
import { runPool } from './pool.ts'
import { deliverS3Warning } from './warnings.ts'

/** Limit of S3 on the parts of an upload. */
const MAX_PARTS = 10_000
/** Time limit for cleaning up after a failed upload, in milliseconds. */
const ABORT_MS = 30_000

/** Target and limits of an upload. */
export interface UploadPlace {
  readonly client: S3Client
  readonly bucket: string
  readonly cacheControl: string | undefined
  /** Bytes of a part; the last one may be smaller. */
  readonly partSize: number
  /** Parts that are uploaded at the same time. */
  readonly concurrency: number
  readonly signal: AbortSignal
  warn(warning: Warning): void
}

interface Part {
  readonly number: number
  readonly start: number
  readonly bytes: number
}

const partsOf = (bytes: number, wanted: number): Part[] => {
  const size = Math.max(wanted, Math.ceil(bytes / MAX_PARTS))
  return Array.from({ length: Math.ceil(bytes / size) }, (_, index) => ({
    number: index + 1,
    start: index * size,
    bytes: Math.min(size, bytes - index * size),
  }))
}

const readPart = async (handle: FileHandle, { start, bytes }: Part): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(bytes)
  const { bytesRead } = await handle.read(buffer, 0, bytes, start)
  if (bytesRead < bytes) throw new Error(`the result ended at byte ${start + bytesRead}`)
  return buffer
}

const uploadInParts = async (
  file: ArtifactFile,
  object: { readonly Bucket: string; readonly Key: string },
  headers: { readonly ContentType: string; readonly CacheControl?: string },
  { client, partSize, concurrency, signal, warn }: UploadPlace,
): Promise<void> => {
  const s3 = await import('@aws-sdk/client-s3')
  const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand({ ...object, ...headers }), {
    abortSignal: signal,
  })
  const upload = { ...object, UploadId }
  const handle = await open(file.path)
  try {
    const done: { PartNumber: number; ETag: string | undefined }[] = []
    await runPool(partsOf(file.bytes, partSize), concurrency, signal, async (part, abortSignal) => {
      // The part is in memory, so that the client can retry it.
      const Body = await readPart(handle, part)
      const command = new s3.UploadPartCommand({ ...upload, PartNumber: part.number, Body })
      const { ETag } = await client.send(command, { abortSignal })
      done.push({ PartNumber: part.number, ETag })
    })
    const Parts = done.sort((a, b) => a.PartNumber - b.PartNumber)
    const command = new s3.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
    await client.send(command, { abortSignal: signal })
  } catch (thrown) {
    // Remaining parts cost money and are not listed: remove them also when the render was cancelled.
    await client
      .send(new s3.AbortMultipartUploadCommand(upload), { abortSignal: AbortSignal.timeout(ABORT_MS) })
      .catch((late: unknown) =>
        warn(
          deliverS3Warning('VID_S3_PARTS_LEFT', {
            upload: `${UploadId}`,
            address: `s3://${object.Bucket}/${object.Key}`,
            reason: describeCause(late),
          }),
        ),
      )
    throw thrown
  } finally {
    await handle.close()
  }
}

/** Uploads one file, in parts when it is larger than a part. The object appears completely or not at all. */
export const uploadFile = async (file: ArtifactFile, key: string, place: UploadPlace): Promise<void> => {
  const { client, bucket, cacheControl, partSize, signal } = place
  signal.throwIfAborted()
  const object = { Bucket: bucket, Key: key }
  const headers = {
    ContentType: contentType(file.name || key),
    ...(cacheControl !== undefined && { CacheControl: cacheControl }),
  }
  if (file.bytes > partSize) return uploadInParts(file, object, headers, place)
  const { PutObjectCommand } = await import('@aws-sdk/client-s3')
  const command = new PutObjectCommand({ ...object, ...headers, Body: await readFile(file.path, { signal }) })
  await client.send(command, { abortSignal: signal })
}

/** Uploads a folder's files below a key; when one fails, those already uploaded are deleted. */
export const uploadFolder = async (
  files: readonly ArtifactFile[],
  key: string,
  place: UploadPlace,
): Promise<void> => {
  const { client, bucket, concurrency, signal, warn } = place
  const uploaded: string[] = []
  try {
    await runPool(files, concurrency, signal, async (file, own) => {
      await uploadFile(file, `${key}/${file.name}`, { ...place, concurrency: 1, signal: own })
      uploaded.push(`${key}/${file.name}`)
    })
  } catch (thrown) {
    const { DeleteObjectCommand } = await import('@aws-sdk/client-s3')
    const abortSignal = AbortSignal.timeout(ABORT_MS)
    const results = await Promise.allSettled(
      uploaded.map((Key) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key }), { abortSignal })),
    )
    const left = results.filter(({ status }) => status === 'rejected').length
    if (left > 0)
      warn(deliverS3Warning('VID_S3_FILES_LEFT', { count: left, address: `s3://${bucket}/${key}/` }))
    throw thrown
  }
}
