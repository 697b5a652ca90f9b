import { stat } from 'node:fs/promises'
import { describeCause, digestFile } from '@vid/kernel'
import { createS3Client, listObjects, removeObjects, type S3Bucket, sizeOf, uploadFile } from '@vid/s3'
import type { AwsPlace } from '../aws-clients.ts'
import { FORMATS_KEY, prefixes } from '../contract/object-keys.ts'
import type { FunctionPackage } from '../package/build-package.ts'
import { InvalidConfigError } from '../renders/invalid-config.ts'
import type { OnStackEvent } from './stack-change.ts'

/** The zip of the function, as it is uploaded. */
export type PackageFile = Pick<FunctionPackage, 'path' | 'sha256' | 'bytes'> &
  Partial<Pick<FunctionPackage, 'formats'>>

/** Reads the zip of a function that was built before. */
export const readPackage = async (path: string, signal: AbortSignal | undefined): Promise<PackageFile> => {
  try {
    const { size } = await stat(path)
    return { path, sha256: await digestFile(path, signal), bytes: size }
  } catch (thrown) {
    signal?.throwIfAborted()
    throw new InvalidConfigError({
      field: 'packageFile',
      problem: `${path} cannot be read: ${describeCause(thrown)}`,
    })
  }
}

const keyOf = (sha256: string) => `${prefixes.functions}${sha256}.zip`

/** Runs with a client of a bucket. */
export const withBucket = async <T>(
  {
    bucketName,
    region,
    signal,
  }: AwsPlace & { readonly bucketName: string; readonly signal: AbortSignal | undefined },
  work: (place: S3Bucket) => Promise<T>,
): Promise<T> => {
  const client = await createS3Client({ region })
  try {
    return await work({ client, bucket: bucketName, signal })
  } finally {
    client.destroy()
  }
}

/** Uploads a package under its digest, unless the bucket has it. */
export const uploadPackage = async (
  place: S3Bucket,
  { path, sha256, bytes }: PackageFile,
  onEvent: OnStackEvent | undefined,
): Promise<void> => {
  if ((await sizeOf(place, keyOf(sha256))) === bytes) return
  const tell = (sent: number) => onEvent?.({ stage: 'upload', bytes, sent })
  tell(0)
  await uploadFile(place, keyOf(sha256), path, { onSent: tell })
}

/** Removes packages that no function uses any more. */
export const removeOldPackages = async (place: S3Bucket, sha256: string): Promise<void> => {
  const old: string[] = []
  for await (const { key } of listObjects(place, prefixes.functions))
    if (key !== keyOf(sha256) && key !== FORMATS_KEY) old.push(key)
  await removeObjects(place, old)
}
