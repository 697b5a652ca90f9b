import { runPool } from '@vid/system'
import { abortOptions, request, type S3Bucket } from './bucket.ts'
import { contentType } from './content-type.ts'
import { readObject } from './download.ts'
import { isConditionFailed, isNoObject, s3Error, wasRepeated } from './failure.ts'

/** Objects removed at the same time. */
const REMOVED_AT_ONCE = 8

/** An object in the list of a bucket. */
export interface S3Object {
  readonly key: string
  readonly bytes: number
  /** Its ETag, which differs for other bytes. */
  readonly tag: string
  /** Last modification in milliseconds since 1970, with a resolution of a second. */
  readonly writtenMs: number
}

/** What an object says of its content. */
interface ObjectHeaders {
  /** MIME type; default by the name of its key. */
  readonly type?: string
  readonly cacheControl?: string
}

const headersOf = (key: string, { type = contentType(key), cacheControl }: ObjectHeaders) => ({
  ContentType: type,
  ...(cacheControl !== undefined && { CacheControl: cacheControl }),
})

/** Stores a small object from memory; replaces an existing one. */
export const putObject = (
  place: S3Bucket,
  key: string,
  body: string | Uint8Array,
  options: ObjectHeaders = {},
): Promise<void> =>
  request(place, 'write', key, async () => {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3')
    // The client mistakes an empty string, which has no length, for an endless stream.
    const object = { Bucket: place.bucket, Key: key, ...headersOf(key, options), Body: Buffer.from(body) }
    await place.client.send(new PutObjectCommand(object), abortOptions(place))
  })

/** The tag of an object that holds exactly these bytes; undefined for another, or none. */
const tagOfBytes = async (place: S3Bucket, key: string, bytes: Buffer): Promise<string | undefined> => {
  let tag: string | undefined
  const stored = await readObject(place, key, bytes.length, (object) => {
    tag = object.tag
  }).catch(() => undefined)
  return stored?.equals(bytes) ? tag : undefined
}

/**
 * Stores a small object if the present one has `tag`, or if none exists without a tag. Resolves to the tag of the new
 * object; undefined if it was changed, or another is being stored at the same time. Of concurrent callers only one
 * succeeds, so their bodies should differ: if a retried request finds exactly its own bytes, its first attempt is
 * assumed to have stored them.
 */
export const putIfUnchanged = (
  place: S3Bucket,
  key: string,
  body: string | Uint8Array,
  tag: string | undefined,
  options: ObjectHeaders = {},
): Promise<string | undefined> => {
  const bytes = Buffer.from(body)
  const condition = tag === undefined ? { IfNoneMatch: '*' } : { IfMatch: tag }
  const object = { Bucket: place.bucket, Key: key, ...headersOf(key, options), Body: bytes, ...condition }
  return request(place, 'write', key, async () => {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3')
    try {
      return (await place.client.send(new PutObjectCommand(object), abortOptions(place))).ETag
    } catch (thrown) {
      const isChanged = isConditionFailed(thrown) || (tag !== undefined && isNoObject(thrown))
      if (!isChanged) throw thrown
      return wasRepeated(thrown) ? tagOfBytes(place, key, bytes) : undefined
    }
  })
}

/** Stores a small object unless it exists; false if it does, or another is being stored at the same time. */
export const putIfAbsent = async (
  place: S3Bucket,
  key: string,
  body: string | Uint8Array,
  options: Pick<ObjectHeaders, 'type'> = {},
): Promise<boolean> => (await putIfUnchanged(place, key, body, undefined, options)) !== undefined

/** Reads the metadata of an object; undefined if it does not exist. */
export const findObject = (place: S3Bucket, key: string): Promise<S3Object | undefined> =>
  request(place, 'read', key, async () => {
    const { HeadObjectCommand } = await import('@aws-sdk/client-s3')
    const command = new HeadObjectCommand({ Bucket: place.bucket, Key: key })
    try {
      const reply = await place.client.send(command, abortOptions(place))
      const { ContentLength = 0, LastModified, ETag: tag = '' } = reply
      return { key, bytes: ContentLength, tag, writtenMs: LastModified?.getTime() ?? 0 }
    } catch (thrown) {
      if (isNoObject(thrown)) return undefined
      throw thrown
    }
  })

/** The size of an object; undefined if it does not exist. */
export const sizeOf = async (place: S3Bucket, key: string): Promise<number | undefined> =>
  (await findObject(place, key))?.bytes

/** Whether an object exists. */
export const exists = async (place: S3Bucket, key: string): Promise<boolean> =>
  (await findObject(place, key)) !== undefined

/** Copies an object onto itself to reset its age; does not create a missing one. */
export const refreshObject = (place: S3Bucket, key: string): Promise<void> =>
  request(place, 'write', key, async () => {
    const { CopyObjectCommand } = await import('@aws-sdk/client-s3')
    const { bucket: Bucket, client } = place
    const CopySource = `${Bucket}/${key.split('/').map(encodeURIComponent).join('/')}`
    // A copy onto itself has to change something.
    const changed = { MetadataDirective: 'REPLACE', ContentType: contentType(key) } as const
    const command = new CopyObjectCommand({ Bucket, Key: key, CopySource, ...changed })
    await client.send(command, abortOptions(place)).catch((thrown: unknown) => {
      if (!isNoObject(thrown)) throw thrown
    })
  })

/** Yields the objects whose keys begin with a prefix, ordered by key; `pageSize` is the number per request. */
export async function* listObjects(
  place: S3Bucket,
  prefix: string,
  { pageSize = 1000 }: { readonly pageSize?: number } = {},
): AsyncGenerator<S3Object> {
  const { client, bucket, signal } = place
  signal?.throwIfAborted()
  const { ListObjectsV2Command } = await import('@aws-sdk/client-s3')
  const ask = (ContinuationToken?: string) => {
    const page = { Bucket: bucket, Prefix: prefix, MaxKeys: pageSize }
    const command = new ListObjectsV2Command({ ...page, ...(ContinuationToken && { ContinuationToken }) })
    return request(place, 'list', prefix, () => client.send(command, abortOptions(place)))
  }
  for (let token: string | undefined, isMore = true; isMore; ) {
    const { Contents = [], IsTruncated, NextContinuationToken } = await ask(token)
    for (const { Key: key = '', Size: bytes = 0, ETag: tag = '', LastModified } of Contents)
      yield { key, bytes, tag, writtenMs: LastModified?.getTime() ?? 0 }
    token = NextContinuationToken
    isMore = IsTruncated === true && token !== undefined
  }
}

/** Removes objects; missing ones are not an error. */
export const removeObjects = async (place: S3Bucket, keys: Iterable<string>): Promise<void> => {
  const { client, bucket, signal = new AbortController().signal } = place
  const { DeleteObjectCommand } = await import('@aws-sdk/client-s3')
  // One by one, because bulk deletion needs checksums that not every server supports.
  await runPool([...keys], REMOVED_AT_ONCE, signal, async (Key, taskSignal) => {
    const command = new DeleteObjectCommand({ Bucket: bucket, Key })
    await client.send(command, abortOptions({ signal: taskSignal })).catch((thrown: unknown) => {
      taskSignal.throwIfAborted()
      throw s3Error(thrown, { action: 'remove', bucket, key: Key })
    })
  })
}
