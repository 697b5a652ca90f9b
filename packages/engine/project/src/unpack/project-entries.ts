import { randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, markUsed } from '@vid/system'

/** An unpacked project, which is kept until it is released and must not be changed. */
export interface HeldProject {
  /** SHA-256 of its manifest. */
  readonly digest: string
  /** Absolute. */
  readonly folder: string
  release(): void
}

/** How a cache of projects is kept. */
export interface ProjectCacheOptions {
  /** Absolute; may hold the projects of an earlier process. */
  readonly folder: string
  /** Limit on the bytes of unleased projects. */
  readonly maxBytes: number
  /** How long an unleased project is kept; without limit if left out. */
  readonly maxIdleMs?: number
  /** Whether the limit is kept after each release too, not only by `trim`. */
  readonly trimsOnRelease?: boolean
  /** Room that held projects take; `take` may refuse. */
  readonly room?: { take(bytes: number): void; free(bytes: number): void }
}

/** A project in its folder, or on its way there. */
export interface ProjectEntry {
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

/** The digest that a key ends with. */
export const keyDigest = (key: string): string => {
  const digest = KEY.exec(key)?.[1]
  if (digest === undefined) throw new TypeError(`not a key of a project: ${key}`)
  return digest
}

/** Removes a folder that others may still write into. */
export const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 })

/** The entry of a project without leases. */
export const entryOf = (folder: string, bytes: number): ProjectEntry => ({
  folder,
  ready: Promise.resolve(),
  isReady: false,
  bytes,
  holders: 0,
  usedMs: Date.now(),
  free: () => {},
})

/** The projects that an earlier process has left. */
export const readProjectEntries = async (folder: string): Promise<Map<string, ProjectEntry>> => {
  const entries = new Map<string, ProjectEntry>()
  for (const key of (await readdir(folder)).filter((name) => KEY.test(name))) {
    const path = join(folder, key)
    const { mtimeMs: usedMs } = await stat(path)
    entries.set(key, { ...entryOf(path, await bytesOf(path)), isReady: true, usedMs })
  }
  return entries
}

/** Leases and releases entries, and removes unleased ones that are too many or too old. */
export const createHolding = (
  entries: Map<string, ProjectEntry>,
  incoming: string,
  { maxBytes, maxIdleMs = Number.POSITIVE_INFINITY, trimsOnRelease = false, room }: ProjectCacheOptions,
) => {
  const removing = new Set<Promise<void>>()

  /** Removes unleased projects, the least recently used first, while they are too many or too old. */
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
  const release = (entry: ProjectEntry) => {
    entry.holders -= 1
    if (entry.holders === 0) entry.free()
    entry.usedMs = Math.max(entry.usedMs + 1, Date.now())
    void markUsed(entry.folder)
    if (trimsOnRelease) removeIdle()
  }
  const take = (key: string, entry: ProjectEntry): HeldProject => {
    const { bytes } = entry
    if (entry.holders === 0 && room) {
      room.take(bytes)
      entry.free = () => room.free(bytes)
    }
    entry.holders += 1
    let isHeld = true
    return {
      digest: keyDigest(key),
      folder: entry.folder,
      release() {
        if (isHeld) release(entry)
        isHeld = false
      },
    }
  }
  return { take, removeIdle, removing }
}
