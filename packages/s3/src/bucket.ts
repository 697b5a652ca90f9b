import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Action } from './errors.ts'
import { s3Error } from './failure.ts'

/** A bucket as a piece of work uses it. */
export interface S3Bucket {
  readonly client: S3Client
  /** Its name. */
  readonly bucket: string
  /** Ends the requests of this work; they then reject with its reason. */
  readonly signal?: AbortSignal | undefined
}

/** The client's options of one request, with its own signal: Node warns of many listeners of one. */
export const requestOptions = ({ signal }: Pick<S3Bucket, 'signal'>): { abortSignal?: AbortSignal } =>
  signal ? { abortSignal: AbortSignal.any([signal]) } : {}

/** Runs requests about one object; their errors become coded ones. */
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
