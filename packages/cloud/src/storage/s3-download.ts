import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'

/** An object of a bucket. */
export interface S3Object {
  readonly Bucket: string
  readonly Key: string
}

/** Connections that may break while one object is read, as long as each of them brought something. */
const MAX_CUTS = 20

/** Whether a server says that there is no such object. */
export const isNoObject = (thrown: unknown): boolean =>
  ['NoSuchKey', 'NotFound'].includes(String((thrown as { readonly name?: unknown } | null)?.name))

/** Writes what arrives; returns its length, and why it ended early where it did. */
const writeBody = async (
  { Body, ContentLength = 0 }: GetObjectCommandOutput,
  handle: FileHandle,
): Promise<{ readonly bytes: number; readonly cut?: unknown }> => {
  const arriving = (Body as Readable)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let bytes = 0
  try {
    for (;;) {
      const next = await arriving.next().catch((cut: unknown) => ({ cut }))
      if ('cut' in next) return { bytes, cut: next.cut }
      if (next.done) break
      await handle.writeFile(next.value)
      bytes += next.value.length
    }
  } finally {
    ;(Body as Readable).destroy()
  }
  return bytes === ContentLength ? { bytes } : { bytes, cut: new Error('the object ended early') }
}

/**
 * Writes an object to a new file; false when there is none. A connection that breaks is continued where it broke, unless
 * the object was replaced meanwhile.
 */
export const downloadObject = async (
  client: S3Client,
  object: S3Object,
  path: string,
  signal?: AbortSignal,
): Promise<boolean> => {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3')
  const ask = (rest: object) =>
    client.send(new GetObjectCommand({ ...object, ...rest }), signal ? { abortSignal: signal } : {})
  let reply = await ask({}).catch((thrown: unknown) => {
    if (isNoObject(thrown)) return undefined
    throw thrown
  })
  if (!reply) return false
  const IfMatch = reply.ETag
  let isWhole = false
  const handle = await open(path, 'wx')
  try {
    for (let [written, cuts] = [0, 0]; !isWhole; cuts += 1) {
      const { bytes, cut } = await writeBody(reply, handle)
      signal?.throwIfAborted()
      written += bytes
      isWhole = cut === undefined
      if (!isWhole && (bytes === 0 || cuts === MAX_CUTS || IfMatch === undefined)) throw cut
      if (!isWhole) reply = await ask({ Range: `bytes=${written}-`, IfMatch })
    }
    return true
  } finally {
    await handle.close()
    if (!isWhole) await rm(path, { force: true })
  }
}
