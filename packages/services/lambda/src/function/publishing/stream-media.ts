import { join } from 'node:path'
import { type S3Bucket, uploadFile } from '@vid/s3'
import { digestFile, runPool } from '@vid/system'

const AT_ONCE = 8

/** Files of a video below a key. */
export interface MediaFiles {
  /** Absolute. */
  readonly folder: string
  readonly names: readonly string[]
  readonly outputKey: string
}

/** Stores files that are not stored yet with the same bytes; resolves to their digests. */
export const storeMedia = async (
  place: S3Bucket,
  { folder, names, outputKey }: MediaFiles,
  stored: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> => {
  const { signal = new AbortController().signal } = place
  const digests: Record<string, string> = {}
  await runPool(names, AT_ONCE, signal, async (name, stop) => {
    const path = join(folder, name)
    const digest = await digestFile(path, stop)
    digests[name] = digest
    if (stored[name] !== digest) await uploadFile({ ...place, signal: stop }, `${outputKey}/${name}`, path)
  })
  return digests
}
