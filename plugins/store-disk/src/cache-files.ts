import { readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { filesBelow, removeLeastUsed } from '@vid/system'

/** The folder of blobs, named by its format: caches of another format are never read. */
export const BLOBS = 'v2'

/** Files that are being written. */
export const PARTIAL = 'partial'

/** All that was ever written into a cache, those of the first format last; nothing else is touched. */
const FOLDERS = [BLOBS, PARTIAL, 'contents', 'segments']

/** A part this old was left behind by a process that was killed. */
const ABANDONED_MS = 60 * 60 * 1000

async function* filesOf(root: string) {
  for (const folder of FOLDERS) yield* filesBelow(join(root, folder))
}

/** Removes what was used longest ago until the rest fits; gives the bytes that stay. */
export const evict = async (root: string, maxBytes: number): Promise<number> => {
  const isPartial = (path: string) => dirname(path) === join(root, PARTIAL)
  const entries = []
  for await (const file of filesOf(root))
    if (isPartial(file.path) && Date.now() - file.usedMs > ABANDONED_MS) await rm(file.path, { force: true })
    else entries.push(file)
  return removeLeastUsed(entries, { maxBytes, isUsed: isPartial })
}

/** Removes a cache; gives the bytes that this frees. Files that a store did not write stay. */
export const cleanCache = async (root: string): Promise<number> => {
  let freed = 0
  for await (const { bytes } of filesOf(root)) freed += bytes
  const folders = await readdir(root).catch(() => [])
  if (!folders.some((name) => FOLDERS.includes(name))) return 0
  // Tried again where another process writes meanwhile.
  for (const folder of FOLDERS)
    await rm(join(root, folder), { recursive: true, force: true, maxRetries: 5, retryDelay: 10 })
  await rm(join(root, '.gitignore'), { force: true })
  await rmdir(root).catch(() => {})
  return freed
}
