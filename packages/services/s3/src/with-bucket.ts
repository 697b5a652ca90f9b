import type { S3Bucket } from './bucket.ts'
import { createS3Client } from './client.ts'

/** A bucket by its name. */
export interface NamedBucket {
  readonly bucketName: string
  /** That of the AWS environment if left out. */
  readonly region?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Runs work with a client of a bucket, which is closed afterwards. */
export const withBucket = async <T>(
  { bucketName, region, signal = new AbortController().signal }: NamedBucket,
  work: (place: S3Bucket, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const client = await createS3Client({ region })
  try {
    return await work({ client, bucket: bucketName, signal }, signal)
  } finally {
    client.destroy()
  }
}
