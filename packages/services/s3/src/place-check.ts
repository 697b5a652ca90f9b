import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { abortOptions, type S3Bucket } from './bucket.ts'
import { fail } from './errors.ts'
import { s3Error } from './failure.ts'

/** Whether a bucket is certainly unusable; without permission to read its metadata, writing may still work. */
const isRefused = (thrown: unknown): boolean =>
  [301, 404].includes((thrown as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0)

/** Checks that the region, the credentials and the bucket exist; writes nothing. */
export const checkBucket = async (place: S3Bucket): Promise<void> => {
  const { client, bucket, signal } = place
  const { region, credentials } = client.config as Required<Pick<S3ClientConfig, 'region' | 'credentials'>>
  const { HeadBucketCommand } = await import('@aws-sdk/client-s3')
  const request = { action: 'write', bucket, key: '' } as const
  for (const value of [region, credentials])
    if (typeof value === 'function')
      await value().catch((thrown: unknown) => {
        throw s3Error(thrown, request)
      })
  await client.send(new HeadBucketCommand({ Bucket: bucket }), abortOptions(place)).catch((thrown: unknown) => {
    signal?.throwIfAborted()
    if (isRefused(thrown)) throw fail('VID_S3_BUCKET', { bucket, reason: 'there is no such bucket here' })
    // After any other error, the upload may still succeed.
  })
}
