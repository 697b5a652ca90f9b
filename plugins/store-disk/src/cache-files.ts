import type { Stats } from 'node:fs'
import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removeLeastUsed } from '@vid/system'

/** The folder of blobs, named by its format: caches of another format are never read. */
export const BLOBS = 'v2'

/** Files that are being written. */
export const PARTIAL = 'partial'

/** All that was ever written into a cache, those of the first format last; nothing else is touched. */
const FOLDERS = [BLOBS, PARTIAL, 'contents', 'segments']

/** A part this old was left behind by a process that was killed. */
const ABANDONED_MS = 60 * 60 * 1000

/** A file of a cache. */
export interface CacheFile {
  readonly path: string
  readonly facts: Stats
}

/** Every file below a folder; one that is removed meanwhile is left out. */
export const filesBelow = async (folder: string): Promise<CacheFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map(async (path) => ({ path, facts: await stat(path).catch(() => undefined) })),
  )
  return files.filter((file): file is CacheFile => file.facts !== undefined)
}

const filesOf = async (root: string): Promise<CacheFile[]> =>
  (await Promise.all(FOLDERS.map((folder) => filesBelow(join(root, folder))))).flat()

const sum = (files: readonly CacheFile[]) => files.reduce((bytes, { facts }) => bytes + facts.size, 0)

/** Removes what was used longest ago until the rest fits; gives the bytes that stay. */
export const evict = async (root: string, maxBytes: number): Promise<number> => {
  const isPartial = (path: string) => dirname(path) === join(root, PARTIAL)
  const entries = []
  for (const { path, facts } of await filesOf(root))
    if (isPartial(path) && Date.now() - facts.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
    else entries.push({ path, bytes: facts.size, usedMs: facts.mtimeMs })
  return removeLeastUsed(entries, { maxBytes, isUsed: isPartial })
}

/** Removes a cache; gives the bytes that this frees. Files that a store did not write stay. */
export const cleanCache = async (root: string): Promise<number> => {
  const files = await filesOf(root)
  const folders = await readdir(root).catch(() => [])
  if (!folders.some((name) => FOLDERS.includes(name))) return 0
  // Tried again where another process writes meanwhile.
  for (const folder of FOLDERS)
    await rm(join(root, folder), { recursive: true, force: true, maxRetries: 5, retryDelay: 10 })
  await rm(join(root, '.gitignore'), { force: true })
  await rmdir(root).catch(() => {})
  return sum(files)
}
