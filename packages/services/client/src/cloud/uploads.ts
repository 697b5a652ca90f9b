import { Readable } from 'node:stream'
import { isVidError } from '@vid/protocol'
import {
  type CloudAsset,
  CloudAssetSchema,
  CloudReplySchema,
  type CloudUpload,
  CloudUploadSchema,
} from '../contract/index.ts'
import { badReply } from '../http/replies.ts'
import { withRetries } from '../http/retries.ts'
import { createStallWatch, fileBytes } from '../http/sending.ts'
import { askAgain, type CloudConnection, fetchReply, jsonBody } from './connection.ts'

/** A local zip. */
export interface ZipFile {
  readonly path: string
  readonly bytes: number
  /** SHA-256 (hex). */
  readonly digest: string
}

/** Options of an upload. */
export interface UploadRules {
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  /** Called with the number of bytes sent; after a broken connection, it may be lower than before. */
  onProgress?(sentBytes: number, totalBytes: number): void
}

/** Largest zip that is sent in one request: of a larger one, a broken connection costs only one part. */
export const PART_BYTES = 8 * 2 ** 20

const MAX_PARTS = 100_000
/** How often an upload that the server lost may be restarted. */
const MAX_BEGINNINGS = 3

const AssetReply = CloudReplySchema(CloudAssetSchema)
const UploadReply = CloudReplySchema(CloudUploadSchema)

/** Sends bytes of a file as a body; gives up if the server accepts none for some time. */
const sendBytes = async <T>(
  connection: CloudConnection,
  { signal: outer }: UploadRules,
  chunks: (onTaken: () => void) => AsyncIterable<Buffer>,
  send: (body: () => Readable, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const { url, limits, errors } = connection
  const watch = createStallWatch(outer, () => errors.fail('CUT', { url, reason: 'it stopped accepting data' }))
  const body = async function* () {
    watch.touch(limits.idleMs)
    yield* chunks(() => watch.touch(limits.idleMs))
    watch.touch(limits.unpackMs)
  }
  try {
    return await send(() => Readable.from(body(), { objectMode: false }), watch.signal)
  } finally {
    watch.end()
  }
}

const BOUNDARY = '----vid-project-zip-5f1d9c27'
const HEAD = Buffer.from(
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="project.zip"\r\ncontent-type: application/zip\r\n\r\n`,
)
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)

/** Sends a zip in one request. */
export const uploadWhole = (connection: CloudConnection, zip: ZipFile, rules: UploadRules): Promise<CloudAsset> =>
  withRetries(connection, rules.signal, async () => {
    let sentBytes = 0
    const chunks = async function* (onTaken: () => void) {
      sentBytes = 0
      yield HEAD
      yield* fileBytes(zip.path, (bytes) => {
        onTaken()
        sentBytes += bytes
        rules.onProgress?.(sentBytes, zip.bytes)
      })
      yield TAIL
    }
    const { data } = await sendBytes(connection, rules, chunks, (body, signal) =>
      fetchReply<{ data: CloudAsset }>(connection, AssetReply, {
        method: 'POST',
        path: '/v3/assets',
        body,
        signal,
        replyMs: 0,
        headers: {
          'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
          'content-length': String(HEAD.length + zip.bytes + TAIL.length),
          'idempotency-key': rules.idempotencyKey,
        },
      }),
    )
    return data
  })

const hasStatus = (thrown: unknown, ...statuses: readonly number[]): boolean =>
  isVidError(thrown) && statuses.includes(Number(thrown.facts.status))

/** Begins a multipart upload; undefined if the server does not support them. */
const beginUpload = async (
  connection: CloudConnection,
  { bytes, digest }: ZipFile,
  { idempotencyKey, signal }: UploadRules,
): Promise<CloudUpload | undefined> => {
  const body = jsonBody({ size_bytes: bytes, sha256: digest }, { 'idempotency-key': idempotencyKey })
  try {
    const call = { method: 'POST', path: '/v3/assets/uploads', signal, ...body } as const
    const { data } = await askAgain<{ data: CloudUpload }>(connection, UploadReply, call)
    if (data.size_bytes !== bytes || bytes / data.part_bytes > MAX_PARTS)
      throw badReply(connection, `an upload of ${data.size_bytes} bytes in parts of ${data.part_bytes}`)
    return data
  } catch (thrown) {
    if (hasStatus(thrown, 404, 405, 501)) return undefined
    throw thrown
  }
}

/** Sends the parts that the server lacks, retrying each after a broken connection. */
const sendParts = async (
  connection: CloudConnection,
  zip: ZipFile,
  upload: CloudUpload,
  rules: UploadRules,
): Promise<void> => {
  const { part_bytes: partBytes, upload_id: id } = upload
  const uploadedParts = new Set(upload.parts)
  for (let part = 0, start = 0; start < zip.bytes; part += 1, start += partBytes) {
    const end = Math.min(start + partBytes, zip.bytes)
    if (uploadedParts.has(part)) continue
    await withRetries(connection, rules.signal, async () => {
      let sentBytes = start
      const chunks = (onTaken: () => void) => {
        sentBytes = start
        const progressed = (bytes: number) => {
          onTaken()
          sentBytes += bytes
          rules.onProgress?.(sentBytes, zip.bytes)
        }
        return fileBytes(zip.path, progressed, { start, end })
      }
      await sendBytes(connection, rules, chunks, (body, signal) =>
        fetchReply(connection, UploadReply, {
          method: 'PUT',
          path: `/v3/assets/uploads/${id}/parts/${part}`,
          body,
          signal,
          replyMs: 0,
          headers: { 'content-type': 'application/octet-stream', 'content-length': String(end - start) },
        }),
      )
    })
  }
}

/** Sends a zip in parts; undefined if the server does not support that. */
const uploadInParts = async (
  connection: CloudConnection,
  zip: ZipFile,
  rules: UploadRules,
): Promise<CloudAsset | undefined> => {
  for (let beginnings = 1; ; beginnings += 1) {
    const upload = await beginUpload(connection, zip, rules)
    if (!upload) return undefined
    try {
      await sendParts(connection, zip, upload, rules)
      const { data } = await askAgain<{ data: CloudAsset }>(connection, AssetReply, {
        method: 'POST',
        path: `/v3/assets/uploads/${upload.upload_id}/complete`,
        signal: rules.signal,
        ...jsonBody({}),
        replyMs: connection.limits.unpackMs,
      })
      return data
    } catch (thrown) {
      // The upload has expired, or the server has lost it.
      if (!hasStatus(thrown, 404, 410) || beginnings >= MAX_BEGINNINGS) throw thrown
    }
  }
}

/** Sends a zip: a large one in parts if the server supports that, any other in one request. */
export const uploadZip = async (connection: CloudConnection, zip: ZipFile, rules: UploadRules): Promise<CloudAsset> =>
  (zip.bytes > PART_BYTES ? await uploadInParts(connection, zip, rules) : undefined) ??
  (await uploadWhole(connection, zip, rules))
