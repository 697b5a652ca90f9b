import { type ArtifactFile, INDEX_PLAYLIST, type Warning } from '@vid/kernel'
import { byRank, contentType, removeObjects, type S3Bucket, uploadFile } from '@vid/s3'
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

/** Removes what a failed upload of a folder has left: what names other files first. */
const removeUploaded = async (names: readonly string[], key: string, { place, warn }: UploadPlace): Promise<void> => {
  const signal = AbortSignal.timeout(CLEANING_MS)
  let left = 0
  for (const rank of byRank(names.map((name) => ({ name }))).toReversed()) {
    const removals = rank.map(({ name }) => removeObjects({ ...place, signal }, [`${key}/${name}`]))
    left += (await Promise.allSettled(removals)).filter(({ status }) => status === 'rejected').length
  }
  if (left > 0) warn(deliverS3Warning('VID_S3_FILES_LEFT', { count: left, address: `s3://${place.bucket}/${key}/` }))
}

/** Uploads files below a key, and what names others after them; calls `onUploaded` with each name. */
export const uploadInOrder = async (
  files: readonly ArtifactFile[],
  key: string,
  to: UploadPlace,
  onUploaded: (name: string) => void,
): Promise<void> => {
  const { place, concurrency } = to
  for (const rank of byRank(files))
    await runPool(rank, concurrency, place.signal, async (file, signal) => {
      await uploadOne(file, `${key}/${file.name}`, { ...to, concurrency: 1, place: { ...place, signal } })
      onUploaded(file.name)
    })
}

/**
 * Uploads a folder's files below a key. If one fails, deletes those already uploaded, and the playlist that an earlier
 * video may have had there: its parts were replaced.
 */
export const uploadFolder = async (files: readonly ArtifactFile[], key: string, to: UploadPlace): Promise<void> => {
  const uploaded: string[] = []
  try {
    await uploadInOrder(files, key, to, (name) => uploaded.push(name))
  } catch (thrown) {
    const index = files.filter(({ name }) => name === INDEX_PLAYLIST).map(({ name }) => name)
    await removeUploaded([...new Set([...uploaded, ...index])], key, to)
    throw thrown
  }
}
