import { runPool } from '@vid/system'
import { request, requestOptions, type S3Bucket } from './bucket.ts'
import { contentType } from './content-type.ts'
import { readObject } from './download.ts'
import { isConditionFailed, isNoObject, s3Error, wasRepeated } from './failure.ts'

/** Objects that are removed at the same time. */
const REMOVED_AT_ONCE = 8

/** An object in a list of a bucket. */
export interface S3Object {
  readonly key: string
  readonly bytes: number
  /** When it was written, in milliseconds since 1970, to the second. */
  readonly writtenMs: number
}

/** Stores a small object from memory; it replaces another one. */
export const putObject = (
  place: S3Bucket,
  key: string,
  body: string | Uint8Array,
  { type = contentType(key) }: { readonly type?: string } = {},
): Promise<void> =>
  request(place, 'write', key, async () => {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3')
    // An empty text has no length for the client, which then takes the body for an endless stream.
    const object = { Bucket: place.bucket, Key: key, ContentType: type, Body: Buffer.from(body) }
    await place.client.send(new PutObjectCommand(object), requestOptions(place))
  })

/**
 * Stores a small object unless there is one; false when there is, or when another is being stored now. Of those who try
 * at the same time one gets true, so bodies should differ: where a repeated request finds the very bytes that it
 * brought, they are taken for those of its first attempt.
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

/** What there is to know of an object without reading it; undefined when there is none. */
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

/** The size of an object; undefined when there is none. */
export const sizeOf = async (place: S3Bucket, key: string): Promise<number | undefined> =>
  (await findObject(place, key))?.bytes

/** Whether there is an object. */
export const exists = async (place: S3Bucket, key: string): Promise<boolean> =>
  (await findObject(place, key)) !== undefined

/** Writes an object again as it is, so that its age starts again; a missing one is not created. */
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

/** Objects whose keys begin with a prefix, in the order of their keys; `pageSize` is how many a request asks for. */
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

/** Removes objects; those that are not there are no error. */
export const removeObjects = async (place: S3Bucket, keys: Iterable<string>): Promise<void> => {
  const { client, bucket, signal = new AbortController().signal } = place
  const { DeleteObjectCommand } = await import('@aws-sdk/client-s3')
  // One by one: the request for several needs checksums that not every server knows.
  await runPool([...keys], REMOVED_AT_ONCE, signal, async (Key, taskSignal) => {
    const command = new DeleteObjectCommand({ Bucket: bucket, Key })
    await client.send(command, requestOptions({ signal: taskSignal })).catch((thrown: unknown) => {
      taskSignal.throwIfAborted()
      throw s3Error(thrown, { action: 'remove', bucket, key: Key })
    })
  })
}
