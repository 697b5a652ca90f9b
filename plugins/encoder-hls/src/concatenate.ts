import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Puts an initialization segment and all media segments into one file, which is a fragmented mp4. */
export const concatenate = async (files: readonly string[], path: string, signal: AbortSignal): Promise<void> => {
  const all = async function* () {
    for (const file of files) yield* createReadStream(file)
  }
  await pipeline(all, createWriteStream(path), { signal })
}
