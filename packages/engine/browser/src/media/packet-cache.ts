import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openCacheDir } from '@vid/assets'
import { checkUnchanged, copyPackets, type FfmpegTools, PACKETS_FILE, type Packets, type SourceFile } from '@vid/ffmpeg'
import { makeScratchFolder, removeAbandoned } from '@vid/system'
import { cacheLimit, evictFrames } from './frame-cache.ts'
import { PARTIAL } from './frame-folder.ts'

/** Description of a finished folder; a folder that does not match it is damaged. */
const INDEX = 'packets.json'

/** Version of the cache format; increase it when the same job would write different bytes. */
const LAYOUT = 1

interface Job {
  readonly source: SourceFile & { readonly picture: NonNullable<SourceFile['picture']> }
  /** Whole ticks of the frames that are shown. */
  readonly shown: readonly number[]
  readonly tools: FfmpegTools
  readonly signal: AbortSignal
}

/** Packets of a source, and the file that contains them in order. */
export interface StoredPackets extends Packets {
  /** Absolute. */
  readonly file: string
}

const keyOf = ({ source, shown, tools }: Job): string => {
  const times = [...new Set(shown)].sort((a, b) => a - b)
  return createHash('sha256')
    .update(JSON.stringify(['packets', LAYOUT, source.digest, times, tools.build]))
    .digest('hex')
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)

/** Opens an earlier copy; null if its packets are unusable, undefined if there is no complete copy. */
const openPackets = async (folder: string): Promise<StoredPackets | null | undefined> => {
  try {
    const packets = JSON.parse(await readFile(join(folder, INDEX), 'utf8')) as Packets | null
    if (packets === null) return null
    const file = join(folder, PACKETS_FILE)
    if ((await stat(file)).size !== sum(packets.sizes)) return undefined
    return { ...packets, file }
  } catch {
    return undefined
  } finally {
    // The time of its last use decides how long it is kept.
    const now = new Date()
    await utimes(folder, now, now).catch(() => undefined)
  }
}

const fill = async (root: string, path: string, job: Job): Promise<StoredPackets | null> => {
  const folder = await makeScratchFolder(root, PARTIAL)
  try {
    const packets = (await copyPackets({ ...job, folder })) ?? null
    await checkUnchanged(job.source, job)
    if (packets === null) await rm(join(folder, PACKETS_FILE), { force: true })
    // A link that a decoder put there must not be followed.
    await writeFile(join(folder, INDEX), JSON.stringify(packets), { flag: 'wx' })
    await rm(path, { recursive: true, force: true })
    // Another process may have been faster; its packets are the same.
    await rename(folder, path).catch(() => undefined)
    return (await openPackets(path)) ?? null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Pending copies of this process, by folder: renders and workers that need the same packets share one. The
 * map belongs to the process because the cache folder is shared; an entry is removed when its copy ends.
 */
const copies = new Map<string, Promise<StoredPackets | null>>()

/** Copies packets into a folder, or waits for a pending copy. */
const shareCopy = async (root: string, path: string, job: Job): Promise<StoredPackets | null> => {
  const running = copies.get(path)
  if (running === undefined) {
    const copy = fill(root, path, job).finally(() => copies.delete(path))
    copies.set(path, copy)
    return copy
  }
  const shared = await running.catch(() => undefined)
  job.signal.throwIfAborted()
  // The copy of another render stops with that render; then this render starts its own.
  return shared === undefined ? shareCopy(root, path, job) : shared
}

/** Packets of a source from the user's cache, or copied into it now; undefined when its frames must be extracted. */
export const findPackets = async (
  job: Job,
  env: NodeJS.ProcessEnv = process.env,
): Promise<StoredPackets | undefined> => {
  const limit = cacheLimit(env)
  const root = join(await openCacheDir(env), 'frames')
  await mkdir(root, { recursive: true, mode: 0o700 })
  await removeAbandoned(root, PARTIAL)
  const path = join(root, keyOf(job))
  const existing = await openPackets(path)
  if (existing !== undefined) return existing ?? undefined
  try {
    return (await shareCopy(root, path, job)) ?? undefined
  } finally {
    await evictFrames(root, limit, (candidate) => candidate === path).catch(() => undefined)
  }
}
