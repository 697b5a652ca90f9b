import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** Files that were used this recently may still be in use in another process. */
const RECENT_MS = 60 * 60 * 1000

/** Bytes after which the folder is counted again, as a part of the limit. */
const RECOUNT_SHARE = 1 / 32

/** Removes files, the least recently used first, until the rest fits; those used recently and those of `isUsed` stay. */
const evict = async (folder: string, maxBytes: number, isUsed: (path: string) => boolean): Promise<void> => {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name)
      const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }))
      return { path, bytes: size, usedMs: mtimeMs }
    }),
  )
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  for (const { path, bytes: size, usedMs } of files.sort((a, b) => a.usedMs - b.usedMs)) {
    if (bytes <= maxBytes) return
    if (isUsed(path) || Date.now() - usedMs < RECENT_MS) continue
    await rm(path, { force: true })
    bytes -= size
  }
}

/** Keeps the files of a cache folder below a limit; its failures are those of a disk that the next write meets too. */
export const createEviction = (folder: string, maxBytes: number) => {
  const used = new Set<string>()
  let unchecked = Number.POSITIVE_INFINITY
  let running = Promise.resolve()
  return {
    /** Records the use of a file, by which it is kept. */
    async touch(path: string): Promise<void> {
      used.add(path)
      const now = new Date()
      await utimes(path, now, now).catch(() => {})
    },
    /** Records a new file; resolves once what is over the limit is removed. */
    add(path: string, bytes: number): Promise<void> {
      used.add(path)
      unchecked += bytes
      if (unchecked <= maxBytes * RECOUNT_SHARE) return running
      unchecked = 0
      running = running.then(() => evict(folder, maxBytes, (path) => used.has(path))).catch(() => {})
      return running
    },
  }
}
