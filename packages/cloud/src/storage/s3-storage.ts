import type { S3Client } from '@aws-sdk/client-s3'
import { isVidError } from '@vid/kernel'
import {
  createS3Client,
  downloadObject,
  listObjects,
  openObject,
  removeObjects,
  s3Blobs,
  s3Reason,
  sizeOf,
  uploadFile,
} from '@vid/s3'
import { attachment } from '@vid/server'
import { fail } from '../errors.ts'
import { parseS3Address, type S3Address } from './s3-address.ts'
import { isKey, type ObjectAddress, type Storage } from './storage.ts'

/** Longest life of a signed address, in seconds. */
const MAX_SIGNED_S = 7 * 24 * 3600

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

const failing = (action: string, key: string) => (thrown: unknown) => {
  if (isVidError(thrown) && thrown.code === 'VID_CLOUD_STORAGE') throw thrown
  // The operator needs the server's own words, and a code of the storage.
  const cause = isVidError(thrown) ? (thrown.cause ?? thrown) : thrown
  throw fail('VID_CLOUD_STORAGE', { action, key, reason: s3Reason(cause) }, { cause })
}

/** Finds out at once that the bucket is there, and that it may be listed: otherwise a missing object looks forbidden. */
const checkBucket = async (client: S3Client, { bucket, prefix }: S3Address): Promise<void> => {
  try {
    for await (const _ of listObjects({ client, bucket }, prefix, { pageSize: 1 })) break
  } catch (thrown) {
    failing('list', prefix)(thrown)
  }
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
  const signing = await signer(address, client)
  const keyOf = (key: string): string => {
    if (!isKey(key)) throw new TypeError(`not a key: ${key}`)
    return `${prefix}${key}`
  }
  const placeOf = (signal?: AbortSignal) => ({ client, bucket, signal })
  return {
    description: `bucket s3://${bucket}/${prefix}`,
    put: async (key, path, { type, signal } = {}) =>
      uploadFile(placeOf(signal), keyOf(key), path, { type }).catch((thrown: unknown) => {
        signal?.throwIfAborted()
        return failing('keep', key)(thrown)
      }),
    get: async (key, path, { signal } = {}) =>
      downloadObject(placeOf(signal), keyOf(key), path).catch((thrown: unknown) => {
        signal?.throwIfAborted()
        return failing('read', key)(thrown)
      }),
    read: async (key) => openObject(placeOf(), keyOf(key)).catch(failing('read', key)),
    size: async (key) => sizeOf(placeOf(), keyOf(key)).catch(failing('read', key)),
    remove: async (keys) => removeObjects(placeOf(), keys.map(keyOf)).catch(failing('remove', keys.join(', '))),
    async *list(start) {
      try {
        for await (const object of listObjects(placeOf(), `${prefix}${start}`))
          yield { key: object.key.slice(prefix.length), bytes: object.bytes, usedMs: object.writtenMs }
      } catch (thrown) {
        failing('list', start)(thrown)
      }
    },
    blobs: (below, { signal, warn }) => s3Blobs({ client, bucket, prefix: `${prefix}${below}`, signal }, { warn }),
    address: async (key, options) => signing.sign(keyOf(key), options).catch(failing('sign', key)),
    async close() {
      signing.close()
      client.destroy()
    },
  }
}
