import { stat } from 'node:fs/promises'
import { describeCause } from '@vid/protocol'
import { findObject, listObjects, refreshObject, removeObjects, type S3Bucket, uploadFile } from '@vid/s3'
import { digestFile } from '@vid/system'
import { FORMATS_KEY, prefixes } from '../contract/object-keys.ts'
import { invalidConfig } from '../invalid-config.ts'
import type { FunctionPackage } from '../package/build-package.ts'
import type { OnStackEvent } from './stack-change.ts'

/** The zip of the function to upload. */
export type FunctionZip = Pick<FunctionPackage, 'path' | 'sha256' | 'bytes'> & Partial<Pick<FunctionPackage, 'formats'>>

/** Reads the zip of a function that was built before. */
export const readPackage = async (path: string, signal: AbortSignal | undefined): Promise<FunctionZip> => {
  try {
    const { size } = await stat(path)
    return { path, sha256: await digestFile(path, signal), bytes: size }
  } catch (thrown) {
    signal?.throwIfAborted()
    throw invalidConfig({
      field: 'packageFile',
      problem: `${path} cannot be read: ${describeCause(thrown)}`,
    })
  }
}

/** Key of a package in a bucket. */
export const packageKey = (sha256: string) => `${prefixes.functions}${sha256}.zip`

/** Newer packages are kept, because another deployment may be about to use them. */
const KEPT_MS = 24 * 3_600_000

/** Uploads a package under its digest, unless the bucket has it; either way it is then new enough to be kept. */
export const uploadPackage = async (
  place: S3Bucket,
  { path, sha256, bytes }: FunctionZip,
  onEvent: OnStackEvent | undefined,
): Promise<void> => {
  const key = packageKey(sha256)
  const object = await findObject(place, key)
  if (object?.bytes !== bytes) {
    const tell = (sentBytes: number) => onEvent?.({ stage: 'upload', bytes, sent: sentBytes })
    tell(0)
    return uploadFile(place, key, path, { onSent: tell })
  }
  if (Date.now() - object.writtenMs > KEPT_MS / 2) await refreshObject(place, key)
}

/** Removes packages that the function no longer uses, except new ones, which another deployment may have uploaded. */
export const removeOldPackages = async (place: S3Bucket, usedDigests: readonly string[]): Promise<void> => {
  const keptKeys = [FORMATS_KEY, ...usedDigests.map(packageKey)]
  const old: string[] = []
  for await (const { key, writtenMs } of listObjects(place, prefixes.functions))
    if (!keptKeys.includes(key) && Date.now() - writtenMs > KEPT_MS) old.push(key)
  await removeObjects(place, old)
}
