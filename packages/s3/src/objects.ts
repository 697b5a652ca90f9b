import { runPool } from '@vid/system'
import { request, requestOptions, type S3Bucket } from './bucket.ts'
import { contentType } from './content-type.ts'
import { readObject } from './download.ts'
import { isConditionFailed, isNoObject, s3Error, wasRepeated } from './failure.ts'

/** Objects removed at the same time. */
const REMOVED_AT_ONCE = 8

/** An object in the list of a bucket. */
export interface S3Object {
  readonly key: string
  readonly bytes: number
  /** Last modification in milliseconds since 1970, with a resolution of a second. */
  readonly writtenMs: number
}

/** Stores a small object from memory; replaces an existing one. */
export const putObject = (
  place: S3Bucket,
  key: string,
  body: string | Uint8Array,
  { type = contentType(key), cacheControl }: { readonly type?: string; readonly cacheControl?: string } = {},
): Promise<void> =>
  request(place, 'write', key, async () => {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3')
    // The client mistakes an empty string, which has no length, for an endless stream.
    const headers = { ContentType: type, ...(cacheControl !== undefined && { CacheControl: cacheControl }) }
    const object = { Bucket: place.bucket, Key: key, ...headers, Body: Buffer.from(body) }
    await place.client.send(new PutObjectCommand(object), requestOptions(place))
  })

/**
 * Stores a small object unless it exists; false if it exists, or another is being stored at the same time. Of
 * concurrent callers only one gets true, so their bodies should differ: if a retried request finds exactly its own
 * bytes, its first attempt is assumed to have stored them.
 */
export const putIfAbsent = (
  place: S3Bucket,
  key: string,
  body: string | Uint8Array,
  { type = contentType(key) }: { readonly type?: string } = {},
): Promise<boolean> =>
  request(place, 'write', key, async () => {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3')
    const bytes = Buffer.from(body)
    const object = { Bucket: place.bucket, Key: key, ContentType: type, Body: bytes, IfNoneMatch: '*' }
    try {
      await place.client.send(new PutObjectCommand(object), requestOptions(place))
      return true
    } catch (thrown) {
      if (!isConditionFailed(thrown)) throw thrown
      if (!wasRepeated(thrown)) return false
      const stored = await readObject(place, key, bytes.length).catch(() => undefined)
      return stored?.equals(bytes) ?? false
    }
  })

/** Reads the metadata of an object; undefined if it does not exist. */
export const findObject = (place: S3Bucket, key: string): Promise<S3Object | undefined> =>
  request(place, 'read', key, async () => {
    const { HeadObjectCommand } = await import('@aws-sdk/client-s3')
    const command = new HeadObjectCommand({ Bucket: place.bucket, Key: key })
    try {
      const { ContentLength = 0, LastModified } = await place.client.send(command, requestOptions(place))
      return { key, bytes: ContentLength, writtenMs: LastModified?.getTime() ?? 0 }
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
    await client.send(command, requestOptions(place)).catch((thrown: unknown) => {
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
    return request(place, 'list', prefix, () => client.send(command, requestOptions(place)))
  }
  for (let token: string | undefined, isMore = true; isMore; ) {
    const { Contents = [], IsTruncated, NextContinuationToken } = await ask(token)
    for (const { Key: key = '', Size: bytes = 0, LastModified } of Contents)
      yield { key, bytes, writtenMs: LastModified?.getTime() ?? 0 }
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
    await client.send(command, requestOptions({ signal: taskSignal })).catch((thrown: unknown) => {
      taskSignal.throwIfAborted()
      throw s3Error(thrown, { action: 'remove', bucket, key: Key })
    })
  })
}
