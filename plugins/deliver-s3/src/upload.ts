import type { ArtifactFile, Warning } from '@vid/kernel'
import { contentType, removeObjects, type S3Bucket, uploadFile } from '@vid/s3'
import { runPool } from '@vid/system'
import { deliverS3Warning } from './warnings.ts'

/** Time limit for cleaning up after a failed upload, in milliseconds. */
const CLEANING_MS = 30_000

/** Target and limits of an upload. */
export interface UploadPlace {
  readonly place: S3Bucket & { readonly signal: AbortSignal }
  readonly cacheControl: string | undefined
  /** Size of a part in bytes; the last one may be smaller. */
  readonly partBytes: number
  /** Parts, or files of a folder, uploaded at the same time. */
  readonly concurrency: number
  warn(warning: Warning): void
}

/** Uploads one file under a key. */
export const uploadOne = async (
  { name, path }: ArtifactFile,
  key: string,
  { place, cacheControl, partBytes, concurrency, warn }: UploadPlace,
): Promise<void> => {
  const type = contentType(name || key)
  await uploadFile(place, key, path, { type, cacheControl, partBytes, partsAtOnce: concurrency, warn })
}

/** Uploads a folder's files below a key; if one fails, deletes those already uploaded. */
export const uploadFolder = async (files: readonly ArtifactFile[], key: string, to: UploadPlace): Promise<void> => {
  const { place, concurrency, warn } = to
  const uploaded: string[] = []
  try {
    await runPool(files, concurrency, place.signal, async (file, signal) => {
      await uploadOne(file, `${key}/${file.name}`, { ...to, concurrency: 1, place: { ...place, signal } })
      uploaded.push(`${key}/${file.name}`)
    })
  } catch (thrown) {
    const signal = AbortSignal.timeout(CLEANING_MS)
    const removals = uploaded.map((object) => removeObjects({ ...place, signal }, [object]))
    const left = (await Promise.allSettled(removals)).filter(({ status }) => status === 'rejected').length
    if (left > 0) warn(deliverS3Warning('VID_S3_FILES_LEFT', { count: left, address: `s3://${place.bucket}/${key}/` }))
    throw thrown
  }
}
