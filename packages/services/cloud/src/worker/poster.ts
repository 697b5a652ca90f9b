import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { besidePath, posterName, posterSuffixes } from '@vid/kernel'
import { fail } from '../errors.ts'
import { posterTypes } from '../storage/result-file.ts'
import type { JobRun } from './held-job.ts'
import type { WorkerParts } from './parts.ts'
import { resultPrefix } from './storage-keys.ts'

/** Stores the poster of a video, and resolves to its key; null if none was requested. */
export const keepPoster = async (
  { path: video }: { readonly path: string },
  { render: { id, request }, signal }: Pick<JobRun, 'render' | 'signal'>,
  { storage }: Pick<WorkerParts, 'storage'>,
): Promise<string | null> => {
  if (request.poster === undefined) return null
  for (const { suffix, format } of posterSuffixes) {
    const name = posterName({ format })
    const path = request.format === 'hls' ? join(video, name) : besidePath(video, suffix)
    if (!existsSync(path)) continue
    const key = `${resultPrefix(id)}${name}`
    await storage.put(key, path, { type: posterTypes[format], signal })
    return key
  }
  throw fail('VID_CLOUD_POSTER_LOST', { renderId: id })
}
