import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Action } from './errors.ts'
import { s3Error } from './failure.ts'

/** A bucket with the client and the signal of an operation. */
export interface S3Bucket {
  readonly client: S3Client
  /** Its name. */
  readonly bucket: string
  /** Aborts the requests of this operation, which then reject with its reason. */
  readonly signal?: AbortSignal | undefined
}

/** Request options with a separate signal, because Node warns about many listeners on one signal. */
export const abortOptions = ({ signal }: Pick<S3Bucket, 'signal'>): { abortSignal?: AbortSignal } =>
  signal ? { abortSignal: AbortSignal.any([signal]) } : {}

/** Runs requests about one object; converts their errors to coded ones. */
export const request = async <T>(
  place: S3Bucket,
  action: S3Action,
  key: string,
  work: () => Promise<T>,
): Promise<T> => {
  const { bucket, signal } = place
  signal?.throwIfAborted()
  try {
    return await work()
  } catch (thrown) {
    signal?.throwIfAborted()
    throw s3Error(thrown, { action, bucket, key })
  }
}
