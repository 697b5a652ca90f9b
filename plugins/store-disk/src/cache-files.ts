import { readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { filesBelow, removeLeastUsed } from '@vid/system'

/** Folder of blobs, named by its format: caches of another format are never read. */
export const BLOBS = 'v2'

/** Folder of files that are being written. */
export const PARTIAL_FOLDER = 'partial'

/** All folders ever written into a cache, those of the first format last; nothing else is removed. */
const FOLDERS = [BLOBS, PARTIAL_FOLDER, 'contents', 'segments']

/** Age in milliseconds from which an unfinished file belongs to a killed process. */
const ABANDONED_MS = 60 * 60 * 1000

async function* filesOf(root: string) {
  for (const folder of FOLDERS) yield* filesBelow(join(root, folder))
}

/** Removes the least recently used blobs until the rest fits; returns the remaining bytes. */
export const evict = async (root: string, maxBytes: number): Promise<number> => {
  const isPartial = (path: string) => dirname(path) === join(root, PARTIAL_FOLDER)
  const entries = []
  for await (const file of filesOf(root))
    if (isPartial(file.path) && Date.now() - file.usedMs > ABANDONED_MS) await rm(file.path, { force: true })
    else entries.push(file)
  return removeLeastUsed(entries, { maxBytes, isUsed: isPartial })
}

/** Removes a cache; returns the freed bytes. Files that no store wrote stay. */
export const removeCache = async (root: string): Promise<number> => {
  let freed = 0
  for await (const { bytes } of filesOf(root)) freed += bytes
  const folders = await readdir(root).catch(() => [])
  if (!folders.some((name) => FOLDERS.includes(name))) return 0
  // Retried, because another process may be writing at the same time.
  for (const folder of FOLDERS)
    await rm(join(root, folder), { recursive: true, force: true, maxRetries: 5, retryDelay: 10 })
  await rm(join(root, '.gitignore'), { force: true })
  await rmdir(root).catch(() => {})
  return freed
}
