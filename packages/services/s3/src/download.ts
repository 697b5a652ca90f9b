import { open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { GetObjectCommandOutput } from '@aws-sdk/client-s3'
import { abortOptions, request, type S3Bucket } from './bucket.ts'
import { fail } from './errors.ts'
import { isNoObject } from './failure.ts'

/** Limits on broken connections while one object is read: in total, and in a row without any bytes. */
const MAX_CUTS = 20
const MAX_EMPTY = 3

/** Metadata of an object, available before its bytes. */
export interface FoundObject {
  readonly bytes: number
  /** Its ETag, which differs for other bytes. */
  readonly tag: string
  /** Last modification in milliseconds since 1970, with a resolution of a second. */
  readonly writtenMs: number
}

/** Receives an object's bytes in order. */
interface Receiver {
  /** Called before the first byte. */
  begin(object: FoundObject): void | Promise<void>
  write(bytes: Buffer): void | Promise<void>
}

/** Passes on a body; returns its length, and the error if it ended early. */
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
 * Reads an object to its end; undefined if it does not exist. After a broken connection, reading resumes at the same
 * offset, unless the object was replaced in the meantime.
 */
const receive = async (place: S3Bucket, key: string, receiver: Receiver): Promise<true | undefined> => {
  const { client, bucket, signal } = place
  const { GetObjectCommand } = await import('@aws-sdk/client-s3')
  const ask = (rest: object) =>
    client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...rest }), abortOptions(place))
  let reply = await ask({}).catch((thrown: unknown) => {
    if (isNoObject(thrown)) return undefined
    throw thrown
  })
  if (!reply) return undefined
  const IfMatch = reply.ETag
  try {
    const { ContentLength = 0, LastModified, ETag: tag = '' } = reply
    await receiver.begin({ bytes: ContentLength, tag, writtenMs: LastModified?.getTime() ?? 0 })
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

/** Downloads an object to a new file; false if the object does not exist. An existing file is an error. */
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

/** Reads a small object; undefined if it does not exist. Fails with VID_S3_SIZE if it is larger than `maxBytes`. */
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

/**
 * Reads the text of a small object; undefined if it does not exist. Fails with VID_S3_SIZE if it is larger than
 * `maxBytes`.
 */
export const readObjectText = async (place: S3Bucket, key: string, maxBytes: number): Promise<string | undefined> =>
  (await readObject(place, key, maxBytes))?.toString()

/** A text with the tag that a later write can require. */
export interface TaggedText {
  readonly text: string
  readonly tag: string
}

/** The same with its tag, for `putIfUnchanged`. */
export const readTagged = async (place: S3Bucket, key: string, maxBytes: number): Promise<TaggedText | undefined> => {
  let tag = ''
  const bytes = await readObject(place, key, maxBytes, (object) => {
    tag = object.tag
  })
  return bytes && { text: bytes.toString(), tag }
}

/** Opens a stream of an object's bytes, which the caller must read or destroy; undefined if it does not exist. */
export const openObject = (place: S3Bucket, key: string): Promise<Readable | undefined> =>
  request(place, 'read', key, async () => {
    const { GetObjectCommand } = await import('@aws-sdk/client-s3')
    const command = new GetObjectCommand({ Bucket: place.bucket, Key: key })
    const reply = await place.client.send(command, abortOptions(place)).catch((thrown: unknown) => {
      if (isNoObject(thrown)) return undefined
      throw thrown
    })
    return reply?.Body as Readable | undefined
  })
