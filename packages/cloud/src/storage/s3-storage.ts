import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { describeCause, isVidError } from '@vid/kernel'
import { attachment } from '@vid/server'
import { fail } from '../errors.ts'
import { parseS3Address, type S3Address } from './s3-address.ts'
import { createS3Client } from './s3-client.ts'
import { downloadObject, isNoObject } from './s3-download.ts'
import { isKey, type ObjectAddress, type Storage, type StoredObject } from './storage.ts'

const MIB = 2 ** 20
/** Bytes of a part of an upload; parts of larger files grow, since there may be only so many. */
const PART_BYTES = 8 * MIB
const MAX_PARTS = 10_000
/** Parts of one upload that are in memory. */
const PARTS_AT_ONCE = 4
/** Objects that are removed at the same time. */
const REMOVED_AT_ONCE = 8
/** Longest life of a signed address, in seconds. */
const MAX_SIGNED_S = 7 * 24 * 3600

const upload = async (
  client: S3Client,
  object: { readonly Bucket: string; readonly Key: string },
  path: string,
  type: string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const { Upload } = await import('@aws-sdk/lib-storage')
  const { size } = await stat(path)
  signal?.throwIfAborted()
  // Stopped by its source, not by the library's own abort, which does not wait until the parts are removed.
  const Body = createReadStream(path, signal ? { signal } : {})
  const params = { ...object, Body, ...(type !== undefined && { ContentType: type }) }
  const partSize = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))
  try {
    await new Upload({ client, params, partSize, queueSize: PARTS_AT_ONCE }).done()
  } finally {
    Body.destroy()
  }
}

/** Signs addresses of objects for clients, who may reach the server by another name. */
const signer = async ({ bucket, publicEndpoint, region }: S3Address, client: S3Client) => {
  const [{ GetObjectCommand }, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ])
  const signing = publicEndpoint ? await createS3Client({ region, endpoint: publicEndpoint }) : client
  return {
    sign: (Key: string, { expiresMs, fileName, type }: ObjectAddress): Promise<string> => {
      const ResponseContentDisposition = fileName === undefined ? 'inline' : attachment(fileName)
      const get = { Bucket: bucket, Key, ResponseContentType: type, ResponseContentDisposition }
      const expiresIn = Math.ceil((expiresMs - Date.now()) / 1000)
      return getSignedUrl(signing, new GetObjectCommand(get), {
        expiresIn: Math.min(MAX_SIGNED_S, Math.max(1, expiresIn)),
      })
    },
    close: () => signing.destroy(),
  }
}

const reasonOf = (cause: unknown): string => {
  const { name = '', code = '' } = cause as { readonly name?: string; readonly code?: string }
  // A failed connection to several addresses has a code but no message.
  const text = describeCause(cause) || code
  return text.includes(name) ? text : `${name}: ${text}`
}

const failing = (action: string, key: string) => (cause: unknown) => {
  if (isVidError(cause)) throw cause
  throw fail('VID_CLOUD_STORAGE', { action, key, reason: reasonOf(cause) }, { cause })
}

async function* listed(client: S3Client, bucket: string, Prefix: string): AsyncGenerator<StoredObject> {
  const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3')
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix }))
    for (const { Key = '', Size = 0, LastModified } of Contents)
      yield { key: Key, bytes: Size, writtenMs: LastModified?.getTime() ?? 0 }
}

/** Finds out at once that the bucket is there, and that it may be listed: otherwise a missing object looks forbidden. */
const checkBucket = async (client: S3Client, { bucket, prefix }: S3Address): Promise<void> => {
  const { ListObjectsV2Command } = await import('@aws-sdk/client-s3')
  await client
    .send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }))
    .catch(failing('list', prefix))
}

/**
 * A storage in a bucket of S3, or of a server that speaks its protocol, at `s3://bucket/prefix?region=…&endpoint=…`; the
 * credentials, and what the address leaves out, are those of the AWS environment.
 */
export const openS3Storage = async (text: string): Promise<Storage> => {
  const address = parseS3Address(text)
  const { bucket, prefix } = address
  const client = await createS3Client(address)
  await checkBucket(client, address).catch((thrown: unknown) => {
    client.destroy()
    throw thrown
  })
  const { GetObjectCommand, HeadObjectCommand, DeleteObjectCommand } = await import('@aws-sdk/client-s3')
  const signing = await signer(address, client)
  const keyOf = (key: string): string => {
    if (!isKey(key)) throw new TypeError(`not a key: ${key}`)
    return `${prefix}${key}`
  }
  const objectOf = (key: string) => ({ Bucket: bucket, Key: keyOf(key) })
  const unlessMissing = (thrown: unknown): undefined => {
    if (!isNoObject(thrown)) throw thrown
  }
  return {
    description: `bucket s3://${bucket}/${prefix}`,
    put: async (key, path, { type, signal } = {}) =>
      upload(client, objectOf(key), path, type, signal).catch((thrown: unknown) => {
        signal?.throwIfAborted()
        return failing('keep', key)(thrown)
      }),
    get: async (key, path, { signal } = {}) =>
      downloadObject(client, objectOf(key), path, signal).catch((thrown: unknown) => {
        signal?.throwIfAborted()
        return failing('read', key)(thrown)
      }),
    async read(key) {
      const found = await client
        .send(new GetObjectCommand(objectOf(key)))
        .catch(unlessMissing)
        .catch(failing('read', key))
      return found?.Body as Readable | undefined
    },
    async size(key) {
      const found = await client
        .send(new HeadObjectCommand(objectOf(key)))
        .catch(unlessMissing)
        .catch(failing('read', key))
      return found?.ContentLength
    },
    async remove(keys) {
      // One by one: the request for several needs checksums that not every server knows.
      for (let start = 0; start < keys.length; start += REMOVED_AT_ONCE)
        await Promise.all(
          keys
            .slice(start, start + REMOVED_AT_ONCE)
            .map((key) => client.send(new DeleteObjectCommand(objectOf(key))).catch(failing('remove', key))),
        )
    },
    async *list(start) {
      try {
        for await (const object of listed(client, bucket, `${prefix}${start}`))
          yield { ...object, key: object.key.slice(prefix.length) }
      } catch (thrown) {
        failing('list', start)(thrown)
      }
    },
    address: async (key, options) => signing.sign(keyOf(key), options).catch(failing('sign', key)),
    async close() {
      signing.close()
      client.destroy()
    },
  }
}
