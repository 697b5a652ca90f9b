import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openCacheDir } from '@vid/assets'
import type { ExtractJob } from '@vid/ffmpeg'
import { removeAbandoned, trimFolder } from '@vid/system'
import { captureFailure } from '../capture-errors.ts'
import { type FrameFolder, fillFrameFolder, openFrameFolder, PARTIAL } from './frame-folder.ts'

/** Bytes that extracted frames may take on disk, unless VID_MEDIA_CACHE_BYTES sets another limit. */
const MAX_BYTES = 4 * 1024 ** 3

/** Frames used more recently than this may still be in use in another process. */
const RECENT_MS = 10 * 60 * 1000

type Wanted = Omit<ExtractJob, 'folder' | 'signal'>

/** Version of the cache format; increase it when the same job would write different bytes. */
const LAYOUT = 2

/** Folder name of a job; jobs that write the same files have the same name. */
const keyOf = ({ source, frameFormat, view, fromTick, count, stride, tools }: Wanted): string =>
  createHash('sha256')
    .update(JSON.stringify([LAYOUT, source.digest, frameFormat, view, fromTick, count, stride, tools.build]))
    .digest('hex')

/** Bytes that extracted frames may take on disk; throws if VID_MEDIA_CACHE_BYTES in `env` is not a number. */
export const cacheLimit = (env: NodeJS.ProcessEnv): number => {
  const value = env.VID_MEDIA_CACHE_BYTES
  if (!value) return MAX_BYTES
  if (!/^\d{1,15}$/.test(value)) throw captureFailure('VID_MEDIA_CACHE_BYTES', { value })
  return Number(value)
}

/** Removes the least recently used folders until the rest fits; folders used now or recently stay. */
export const evictFrames = async (root: string, maxBytes: number, isUsed: (path: string) => boolean): Promise<void> => {
  await trimFolder(root, { maxBytes, keepMs: RECENT_MS, isUsed, isEntry: (name) => /^[0-9a-f]{64}$/.test(name) })
}

/**
 * Folders in use in this process, by path: renders and workers that need the same frames share one extraction. The
 * map belongs to the process because the cache folder is shared; an entry is removed when its last user releases it.
 */
const shared = new Map<string, { readonly folder: Promise<FrameFolder>; users: number }>()

/** A lease of extracted frames; they are not evicted before it is released. */
export interface FrameClaim extends Pick<FrameFolder, 'file' | 'finished' | 'complaint'> {
  release(): Promise<void>
}

const openOrFill = async (root: string, path: string, job: Wanted, limit: number): Promise<FrameFolder> => {
  const existing = await openFrameFolder(path, job.frameFormat)
  if (existing) return existing
  await rm(path, { recursive: true, force: true })
  const filling = await fillFrameFolder(path, job)
  filling.finished.then(
    () => evictFrames(root, limit, (path) => shared.has(path)).catch(() => {}),
    () => {},
  )
  return filling
}

/** Frames of a source, from the user's cache or extracted into it now. */
export const claimFrames = async (job: Wanted, env: NodeJS.ProcessEnv = process.env): Promise<FrameClaim> => {
  const limit = cacheLimit(env)
  const root = join(await openCacheDir(env), 'frames')
  await mkdir(root, { recursive: true, mode: 0o700 })
  await removeAbandoned(root, PARTIAL)
  const path = join(root, keyOf(job))
  const entry = shared.get(path) ?? { folder: openOrFill(root, path, job, limit), users: 0 }
  shared.set(path, entry)
  entry.users += 1
  const leave = async () => {
    entry.users -= 1
    if (entry.users > 0) return
    if (shared.get(path) === entry) shared.delete(path)
    await (await entry.folder).close()
  }
  const folder = await entry.folder.catch((thrown: unknown) => {
    shared.delete(path)
    throw thrown
  })
  let released: Promise<void> | undefined
  return {
    finished: folder.finished,
    complaint: folder.complaint,
    async file(tick, signal) {
      try {
        return await folder.file(tick, signal)
      } catch (thrown) {
        // The next attempt must not reuse this failed extraction.
        if (shared.get(path) === entry) shared.delete(path)
        throw thrown
      }
    },
    release: () => {
      released ??= leave()
      return released
    },
  }
}
