import type { S3Client } from '@aws-sdk/client-s3'
import { isVidError } from '@vid/protocol'
import { createS3Client, listObjects, s3Blobs, s3Reason } from '@vid/s3'
import { attachment } from '@vid/server'
import { fail } from '../errors.ts'
import { parseS3Address, type S3Address } from './s3-address.ts'
import type { FileAddress, Storage } from './storage.ts'

/** Longest lifetime of a signed address, in seconds. */
const MAX_SIGNED_S = 7 * 24 * 3600

/** Timeout for the transfer of one segment, in milliseconds: a slower storage is useless to a render. */
const SEGMENT_MS = 60_000

/** Signs addresses of objects for clients, who may reach the server by another name. */
const signer = async ({ bucket, publicEndpoint, region }: S3Address, client: S3Client) => {
  const [{ GetObjectCommand }, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ])
  const signing = publicEndpoint ? await createS3Client({ region, endpoint: publicEndpoint }) : client
  return {
    sign: (Key: string, { expiresMs, fileName, type }: FileAddress): Promise<string> => {
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

const failed = (action: string, key: string, thrown: unknown): Error => {
  // The operator needs the server's own message, with an error code of the storage.
  const cause = isVidError(thrown) ? (thrown.cause ?? thrown) : thrown
  return fail('VID_CLOUD_STORAGE', { action, key, reason: s3Reason(cause) }, { cause })
}

/** Verifies that the bucket exists and can be listed; without that permission a missing object looks forbidden. */
const checkBucket = async (client: S3Client, { bucket, prefix }: S3Address): Promise<void> => {
  try {
    for await (const _ of listObjects({ client, bucket }, prefix, { pageSize: 1 })) break
  } catch (thrown) {
    throw failed('list', prefix, thrown)
  }
}

/**
 * Opens a storage in an S3 bucket, or on a compatible server, at `s3://bucket/prefix?region=…&endpoint=…`. Credentials
 * and omitted settings come from the AWS environment.
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
  const place = { client, bucket, prefix }
  return {
    ...s3Blobs(place, { failed }),
    description: `bucket s3://${bucket}/${prefix}`,
    below: (start, { signal, warn }) =>
      s3Blobs({ ...place, prefix: `${prefix}${start}`, signal }, { blobMs: SEGMENT_MS, warn }),
    address: (key, options) =>
      signing.sign(`${prefix}${key}`, options).catch((thrown: unknown) => {
        throw failed('sign', key, thrown)
      }),
    async close() {
      signing.close()
      client.destroy()
    },
  }
}
