import { lstat, readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** A file or folder that may be removed to make room. */
export interface FolderEntry {
  /** Absolute. */
  readonly path: string
  readonly bytes: number
  /** When it was used last, in milliseconds since 1970. */
  readonly usedMs: number
}

/** What a folder may hold. */
export interface FolderLimit {
  readonly maxBytes: number
  /** What was used in the last so many milliseconds stays: another process may still use it. */
  readonly keepMs?: number
  /** What stays because this process uses it. */
  isUsed?(path: string): boolean
}

/** Bytes after which a folder is counted again, as a part of its limit. */
const RECOUNT_SHARE = 1 / 32

/** Marks a file or folder as used now; one that does not exist stays away. */
export const markUsed = async (path: string): Promise<void> => {
  const now = new Date()
  await utimes(path, now, now).catch(() => {})
}

/** Bytes that a file, or all files of a folder, take on the disk; what is removed meanwhile counts nothing. */
export const bytesOf = async (path: string): Promise<number> => {
  const facts = await lstat(path).catch(() => undefined)
  if (!facts) return 0
  // A file with holes takes less than its size.
  if (!facts.isDirectory()) return facts.blocks > 0 ? Math.min(facts.size, facts.blocks * 512) : facts.size
  const names = await readdir(path).catch(() => [])
  const sizes = await Promise.all(names.map((name) => bytesOf(join(path, name))))
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

const readEntries = async (folder: string, isEntry: (name: string) => boolean = () => true): Promise<FolderEntry[]> => {
  const names = (await readdir(folder).catch(() => [])).filter(isEntry)
  const entries = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const facts = await lstat(path).catch(() => undefined)
      return facts && { path, bytes: await bytesOf(path), usedMs: facts.mtimeMs }
    }),
  )
  return entries.filter((entry) => entry !== undefined)
}

/** Removes entries, the least recently used first, until the rest is within the limit; resolves to the bytes that stay. */
export const removeLeastUsed = async (entries: readonly FolderEntry[], limit: FolderLimit): Promise<number> => {
  const { maxBytes, keepMs = 0 } = limit
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { path, bytes, usedMs } of entries.toSorted((a, b) => a.usedMs - b.usedMs)) {
    if (total <= maxBytes) break
    if (limit.isUsed?.(path) || Date.now() - usedMs < keepMs) continue
    await rm(path, { recursive: true, force: true })
    total -= bytes
  }
  return total
}

/** The same for what is directly in a folder, by names that `isEntry` accepts. */
export const trimFolder = async (
  folder: string,
  { isEntry, ...limit }: FolderLimit & { isEntry?(name: string): boolean },
): Promise<number> => removeLeastUsed(await readEntries(folder, isEntry), limit)

/** Keeps the files of a cache folder within a limit; its failures are those of a disk that the next write meets too. */
export const boundFolder = (folder: string, limit: FolderLimit) => {
  const usedPaths = new Set<string>()
  const isUsed = (entry: string) => usedPaths.has(entry)
  let uncounted = Number.POSITIVE_INFINITY
  let trimming = Promise.resolve()
  return {
    /** Records the use of a file, which stays for this process. */
    async touch(path: string): Promise<void> {
      usedPaths.add(path)
      await markUsed(path)
    },
    /** Records a new file; resolves once what is over the limit is removed. */
    add(path: string, bytes: number): Promise<void> {
      usedPaths.add(path)
      uncounted += bytes
      if (uncounted <= limit.maxBytes * RECOUNT_SHARE) return trimming
      uncounted = 0
      trimming = trimming.then(async () => void (await trimFolder(folder, { ...limit, isUsed }))).catch(() => {})
      return trimming
    },
  }
}
