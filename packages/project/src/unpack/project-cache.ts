import { randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, makeFolder, markUsed } from '@vid/system'
import { type Manifest, manifestBytes } from '../manifest.ts'
import { unpackProject } from './unpacking.ts'

/** An unpacked project, which stays until it is released; nobody may write into it. */
export interface HeldProject {
  /** SHA-256 of its manifest. */
  readonly digest: string
  /** Absolute. */
  readonly folder: string
  release(): void
}

/** Where the zip of a project comes from that was within the limits when it was packed. */
export interface ZipSource {
  /** Writes the zip to a new file; false when there is none. */
  fetch(path: string, signal: AbortSignal): Promise<boolean>
  /** The error for a zip that is missing, or has other files than the digest says. */
  lost(problem: string): Error
}

/** How a cache of projects is kept. */
export interface ProjectCacheOptions {
  /** Absolute; may hold the projects of an earlier process. */
  readonly folder: string
  /** Most bytes of projects that nobody holds. */
  readonly maxBytes: number
  /** Longest time that a project stays which nobody holds; any if left out. */
  readonly maxIdleMs?: number
  /** Whether the limit is kept after each release too, not only by `trim`. */
  readonly trimsOnRelease?: boolean
  /** Room that held projects take; `take` may refuse. */
  readonly room?: { take(bytes: number): void; free(bytes: number): void }
}

interface Entry {
  readonly folder: string
  /** Resolves once the files are there. */
  ready: Promise<void>
  isReady: boolean
  bytes: number
  holders: number
  usedMs: number
  /** Frees the room of a held project. */
  free(): void
}

/** A key ends with the digest; other names in the folder are not those of projects. */
const KEY = /^(?:[\w.-]+-)?([0-9a-f]{64})$/

const digestOf = (key: string): string => {
  const digest = KEY.exec(key)?.[1]
  if (digest === undefined) throw new TypeError(`not a key of a project: ${key}`)
  return digest
}

const unlimited = {
  entries: Number.MAX_SAFE_INTEGER,
  fileBytes: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
  ratio: Number.MAX_SAFE_INTEGER,
}

/** Waits for work that others wait for too: it goes on when one of them leaves. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 })

const entryOf = (folder: string, bytes: number): Entry => ({
  folder,
  ready: Promise.resolve(),
  isReady: false,
  bytes,
  holders: 0,
  usedMs: Date.now(),
  free: () => {},
})

/** The projects that an earlier process has left. */
const readEntries = async (folder: string): Promise<Map<string, Entry>> => {
  const entries = new Map<string, Entry>()
  for (const key of (await readdir(folder)).filter((name) => KEY.test(name))) {
    const path = join(folder, key)
    const { mtimeMs: usedMs } = await stat(path)
    entries.set(key, { ...entryOf(path, await bytesOf(path)), isReady: true, usedMs })
  }
  return entries
}

/** Opens a cache of unpacked projects, whose keys end with their digests. */
export const openProjectCache = async (options: ProjectCacheOptions) => {
  const { folder, maxBytes, maxIdleMs = Number.POSITIVE_INFINITY, trimsOnRelease = false, room } = options
  const incoming = join(folder, 'incoming')
  await remove(incoming)
  await makeFolder(incoming, 0o700)
  const entries = await readEntries(folder)
  const closing = new AbortController()
  const removing = new Set<Promise<void>>()

  /** Removes projects that nobody holds, the least recently used first, while they are too many or too old. */
  const removeIdle = () => {
    const idle = [...entries].filter(([, { holders, isReady }]) => holders === 0 && isReady)
    let bytes = idle.reduce((sum, [, entry]) => sum + entry.bytes, 0)
    const oldestMs = Date.now() - maxIdleMs
    for (const [key, entry] of idle.sort(([, a], [, b]) => a.usedMs - b.usedMs)) {
      if (bytes <= maxBytes && entry.usedMs > oldestMs) return
      bytes -= entry.bytes
      entries.delete(key)
      // Moved away at once: the same project may come again while its files are removed.
      const aside = join(incoming, randomUUID())
      renameSync(entry.folder, aside)
      const work = remove(aside).finally(() => removing.delete(work))
      work.catch(() => {})
      removing.add(work)
    }
  }
  const release = (entry: Entry) => {
    entry.holders -= 1
    if (entry.holders === 0) entry.free()
    entry.usedMs = Math.max(entry.usedMs + 1, Date.now())
    void markUsed(entry.folder)
    if (trimsOnRelease) removeIdle()
  }
  const take = (key: string, entry: Entry): HeldProject => {
    const { bytes } = entry
    if (entry.holders === 0 && room) {
      room.take(bytes)
      entry.free = () => room.free(bytes)
    }
    entry.holders += 1
    let isHeld = true
    return {
      digest: digestOf(key),
      folder: entry.folder,
      release() {
        if (isHeld) release(entry)
        isHeld = false
      },
    }
  }
  const whenReady = async (project: HeldProject, { ready }: Entry, signal: AbortSignal): Promise<HeldProject> => {
    try {
      await untilAborted(ready, signal)
      return project
    } catch (thrown) {
      project.release()
      throw thrown
    }
  }
  /** Puts a project into its folder; who asks for it meanwhile waits for the same work. */
  const make = (key: string, bytes: number, signal: AbortSignal, work: (target: string) => Promise<number>) => {
    const entry = entryOf(join(folder, key), bytes)
    const project = take(key, entry)
    entries.set(key, entry)
    entry.ready = work(entry.folder).then((bytes) => {
      entry.bytes = bytes
      entry.isReady = true
    })
    entry.ready.catch(() => entries.get(key) === entry && entries.delete(key))
    return whenReady(project, entry, signal)
  }
  const load = async (key: string, { fetch, lost }: ZipSource, target: string): Promise<number> => {
    const work = join(incoming, randomUUID())
    const { signal } = closing
    try {
      await mkdir(work, { mode: 0o700 })
      const zip = join(work, 'project.zip')
      if (!(await fetch(zip, signal))) throw lost('is no longer there')
      const project = join(work, 'project')
      const manifest = await unpackProject(zip, project, { limits: unlimited, signal })
      if (manifest.digest !== digestOf(key))
        throw lost(`holds the project ${manifest.digest}, not the one that was sent`)
      await rename(project, target)
      return manifestBytes(manifest)
    } finally {
      await remove(work)
    }
  }
  /** A project whose files are there, or are just being put there; undefined for any other. */
  const find = async (key: string): Promise<HeldProject | undefined> => {
    const entry = entries.get(key)
    return entry && whenReady(take(key, entry), entry, closing.signal).catch(() => undefined)
  }
  return {
    /** Folder on the same file system, for what is being received; emptied when the cache is opened. */
    incoming,
    has: (key: string) => entries.has(key),
    find,
    /** A project, unpacked from its zip unless it is there already. */
    async hold(key: string, source: ZipSource, signal: AbortSignal): Promise<HeldProject> {
      const entry = entries.get(key)
      if (entry) return whenReady(take(key, entry), entry, signal)
      return make(key, 0, signal, (target) => load(key, source, target))
    },
    /** Takes a folder below `incoming` that was just unpacked; leaves it there if the cache has the project already. */
    async add(key: string, project: string, manifest: Manifest): Promise<HeldProject> {
      const present = await find(key)
      if (present) return present
      const bytes = manifestBytes(manifest)
      return make(key, bytes, closing.signal, async (target) => {
        await rename(project, target)
        return bytes
      })
    },
    /** Removes what is over the limits. */
    async trim(): Promise<void> {
      removeIdle()
      await Promise.all(removing)
    },
    /** Stops unpacking; the projects stay. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.allSettled([...[...entries.values()].map(({ ready }) => ready), ...removing])
    },
  }
}

/** Unpacked projects of this process. */
export type ProjectCache = Awaited<ReturnType<typeof openProjectCache>>
