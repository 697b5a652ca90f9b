import { open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { GetObjectCommandOutput } from '@aws-sdk/client-s3'
import { request, requestOptions, type S3Bucket } from './bucket.ts'
import { fail } from './errors.ts'
import { isNoObject } from './failure.ts'

/** Connections that may break while one object is read, and those in a row that brought nothing. */
const MAX_CUTS = 20
const MAX_EMPTY = 3

/** What is known of an object before it is read. */
export interface FoundObject {
  readonly bytes: number
  /** When it was written, in milliseconds since 1970, to the second. */
  readonly writtenMs: number
}

/** What receives an object's bytes, in order. */
interface Receiver {
  /** Called before the first bytes. */
  begin(object: FoundObject): void | Promise<void>
  write(bytes: Buffer): void | Promise<void>
}

/** Passes on what arrives; returns its length, and why it ended early where it did. */
const passBody = async (
  { Body, ContentLength = 0 }: GetObjectCommandOutput,
  { write }: Pick<Receiver, 'write'>,
): Promise<{ readonly bytes: number; readonly cut?: unknown }> => {
  const arriving = (Body as Readable)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let bytes = 0
  try {
    for (;;) {
      const next = await arriving.next().catch((cut: unknown) => ({ cut }))
      if ('cut' in next) return { bytes, cut: next.cut }
      if (next.done) break
      await write(next.value)
      bytes += next.value.length
    }
  } finally {
    ;(Body as Readable).destroy()
  }
  return bytes === ContentLength ? { bytes } : { bytes, cut: new Error('the object ended early') }
}

/**
 * Reads an object to its end; undefined when there is none. A connection that breaks is continued where it broke, unless
 * the object was replaced meanwhile.
 */
const receive = async (place: S3Bucket, key: string, receiver: Receiver): Promise<true | undefined> => {
  const { client, bucket, signal } = place
  const { GetObjectCommand } = await import('@aws-sdk/client-s3')
  const ask = (rest: object) =>
    client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...rest }), requestOptions(place))
  let reply = await ask({}).catch((thrown: unknown) => {
    if (isNoObject(thrown)) return undefined
    throw thrown
  })
  if (!reply) return undefined
  const IfMatch = reply.ETag
  try {
    const { ContentLength = 0, LastModified } = reply
    await receiver.begin({ bytes: ContentLength, writtenMs: LastModified?.getTime() ?? 0 })
  } catch (thrown) {
    ;(reply.Body as Readable).destroy()
    throw thrown
  }
  for (let [writtenBytes, cuts, empty] = [0, 0, 0]; ; cuts += 1) {
    const { bytes, cut } = await passBody(reply, receiver)
    signal?.throwIfAborted()
    if (cut === undefined) return true
    writtenBytes += bytes
    empty = bytes === 0 ? empty + 1 : 0
    if (empty === MAX_EMPTY || cuts === MAX_CUTS || IfMatch === undefined) throw cut
    reply = await ask({ IfMatch, ...(writtenBytes > 0 && { Range: `bytes=${writtenBytes}-` }) })
  }
}

/** Writes an object to a new file; false when there is none. A file that is there already is an error. */
export const downloadObject = (
  place: S3Bucket,
  key: string,
  path: string,
  onFound?: (object: FoundObject) => void,
): Promise<boolean> =>
  request(place, 'read', key, async () => {
    let handle: Awaited<ReturnType<typeof open>> | undefined
    let isWhole = false
    try {
      const receiver: Receiver = {
        begin: async (object) => {
          handle = await open(path, 'wx')
          onFound?.(object)
        },
        write: async (bytes) => handle?.writeFile(bytes),
      }
      isWhole = (await receive(place, key, receiver)) === true
      return isWhole
    } finally {
      await handle?.close()
      if (handle && !isWhole) await rm(path, { force: true })
    }
  })

/** The bytes of a small object; undefined when there is none, VID_S3_SIZE when it is larger than `maxBytes`. */
export const readObject = (
  place: S3Bucket,
  key: string,
  maxBytes: number,
  onFound?: (object: FoundObject) => void,
): Promise<Buffer | undefined> =>
  request(place, 'read', key, async () => {
    const chunks: Buffer[] = []
    const isThere = await receive(place, key, {
      begin(object) {
        const { bytes } = object
        if (bytes > maxBytes) throw fail('VID_S3_SIZE', { bucket: place.bucket, key, bytes, maxBytes })
        onFound?.(object)
      },
      write: (bytes) => void chunks.push(bytes),
    })
    return isThere && Buffer.concat(chunks)
  })

/** The text of a small object; undefined when there is none, VID_S3_SIZE when it has more than `maxBytes`. */
export const readText = async (place: S3Bucket, key: string, maxBytes: number): Promise<string | undefined> =>
  (await readObject(place, key, maxBytes))?.toString()

/** An object's bytes as they arrive, which the caller reads or destroys; undefined when there is none. */
export const openObject = (place: S3Bucket, key: string): Promise<Readable | undefined> =>
  request(place, 'read', key, async () => {
    const { GetObjectCommand } = await import('@aws-sdk/client-s3')
    const command = new GetObjectCommand({ Bucket: place.bucket, Key: key })
    const reply = await place.client.send(command, requestOptions(place)).catch((thrown: unknown) => {
      if (isNoObject(thrown)) return undefined
      throw thrown
    })
    return reply?.Body as Readable | undefined
  })
