import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { type BlobStore, describeCause, isVidError } from '@vid/kernel'
import { makeFolder, markUsed, retry } from '@vid/system'
import { BLOBS, evict, filesBelow, PARTIAL } from './cache-files.ts'
import { fail } from './errors.ts'

/** Names that do not begin with a dot: no key leads out of the folder. */
const KEY = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/

/** Bytes after which files of other processes are counted again, as a part of the limit. */
const RECOUNT_SHARE = 1 / 32

/** Makes the folders of a cache, which git ignores. */
const makeFolders = async (root: string): Promise<void> => {
  await makeFolder(root, 0o700)
  for (const folder of [BLOBS, PARTIAL]) await mkdir(join(root, folder), { recursive: true, mode: 0o700 })
  await writeFile(join(root, '.gitignore'), '*\n', { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause
  })
}

/** Writes a file elsewhere, has it reach the disk, and moves it into place: whole or not at all. Gives its bytes. */
const placeOnce = async (root: string, path: string, write: (part: string) => Promise<void>): Promise<number> => {
  const part = join(root, PARTIAL, randomUUID())
  try {
    await mkdir(dirname(part), { recursive: true, mode: 0o700 })
    await write(part)
    const handle = await open(part, 'r+')
    const { size } = await handle
      .sync()
      .then(() => handle.stat())
      .finally(() => handle.close())
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await rename(part, path).catch(async () => {
      // A folder that no store made stands there.
      await rm(path, { recursive: true, force: true })
      await rename(part, path)
    })
    return size
  } finally {
    await rm(part, { force: true })
  }
}

/** The same, once more when another process cleaned the cache meanwhile. */
const place = (...file: Parameters<typeof placeOnce>): Promise<number> =>
  retry(() => placeOnce(...file), {
    may: (error) => (error as NodeJS.ErrnoException).code === 'ENOENT',
    retries: 1,
  })

/** Whether a path is a file. A link, a folder or a pipe was not made by a store, and is removed. */
const isFile = async (path: string): Promise<boolean> => {
  const facts = await lstat(path).catch(() => undefined)
  if (facts && !facts.isFile()) await rm(path, { recursive: true, force: true }).catch(() => {})
  return facts?.isFile() ?? false
}

/** Removes what is over the limit, often enough for this process and after all at the end. */
const createLimit = (root: string, maxBytes: number) => {
  let unchecked = 0
  let headroom = 0
  const check = async () => {
    const left = await evict(root, maxBytes)
    unchecked = 0
    headroom = Math.min(maxBytes - left, maxBytes * RECOUNT_SHARE)
  }
  return {
    async add(bytes: number) {
      unchecked += bytes
      if (unchecked > headroom) await check()
    },
    async close() {
      if (unchecked > 0) await check()
    },
  }
}

/** Opens a store over a folder, which is made when it is not there; it holds nothing open. */
export const openDiskStore = async (root: string, maxBytes: number): Promise<BlobStore> => {
  const folder = join(root, BLOBS)
  const limit = createLimit(root, maxBytes)
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw fail('VID_STORE_KEY', { key })
    return join(folder, key)
  }
  const orFail = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (cause) {
      if (isVidError(cause)) throw cause
      throw fail('VID_STORE_FOLDER', { root, reason: describeCause(cause) }, { cause })
    }
  }
  const keep = (key: string, write: (part: string) => Promise<void>) =>
    orFail(async () => limit.add(await place(root, pathOf(key), write)))
  await orFail(() => makeFolders(root))
  return {
    maxBytes,
    async get(key, path) {
      const blob = pathOf(key)
      if (!(await isFile(blob))) return false
      try {
        await copyFile(blob, path, constants.COPYFILE_FICLONE)
        return true
      } catch {
        // Gone meanwhile, unreadable, or there is no place for the copy: as if it had never been kept.
        await rm(path, { force: true })
        return false
      }
    },
    put: (key, path) => keep(key, (part) => copyFile(path, part, constants.COPYFILE_FICLONE)),
    async read(key) {
      const blob = pathOf(key)
      return (await isFile(blob)) ? readFile(blob, 'utf8').catch(() => undefined) : undefined
    },
    write: (key, text) => keep(key, (part) => writeFile(part, text, { mode: 0o600 })),
    async touch(keys) {
      await Promise.all(keys.map((key) => markUsed(pathOf(key))))
    },
    async list(prefix) {
      const above = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      const files = await filesBelow(above ? pathOf(above.slice(0, -1)) : folder)
      return files
        .map(({ path, facts: { size, mtimeMs } }) => ({
          key: relative(folder, path).replaceAll(sep, '/'),
          bytes: size,
          usedMs: mtimeMs,
        }))
        .filter(({ key }) => key.startsWith(prefix))
        .sort((a, b) => b.usedMs - a.usedMs)
    },
    remove: (key) => orFail(() => rm(pathOf(key), { recursive: true, force: true })),
    close: () => orFail(() => limit.close()),
  }
}
