import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { markUsed } from '../folders/bounded-folder.ts'
import { makeFolder } from '../folders/folder.ts'
import { scratchName } from '../folders/scratch.ts'
import { retry } from '../work/retry.ts'
import { type Blobs, isBlobKey, type StoredBlob } from './blobs.ts'

const isMissing = (thrown: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String((thrown as NodeJS.ErrnoException).code))

/** How often a file is moved again whose folder was removed meanwhile. */
const MOVES = 20

/** How a folder keeps blobs. */
export interface FolderBlobsOptions {
  /** Folder on the same disk in which files are written before they are moved to their place. */
  readonly incoming: string
  /** Blobs may be lost: one that cannot be read counts as missing, and what stands in the way of one is removed. */
  readonly isCache?: boolean
  /** Makes the error of a key that is not one. */
  refuse(key: string): Error
  /** Makes the error of what the disk refuses. */
  failed(action: 'keep' | 'read' | 'remove', key: string, cause: unknown): Error
}

/** Blobs as files of a folder. */
export interface FolderBlobs extends Blobs {
  /** The size of a blob; undefined when there is none. */
  size(key: string): Promise<number | undefined>
  /** The file of a blob, whether it exists or not. */
  pathOf(key: string): string
}

/** Every file below a folder without those whose names begin with a dot; one that is removed meanwhile is left out. */
export async function* filesBelow(folder: string): AsyncGenerator<{ path: string; bytes: number; usedMs: number }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((thrown: unknown) => {
    if (isMissing(thrown)) return []
    throw thrown
  })
  const visible = entries.filter(({ name }) => !name.startsWith('.'))
  const files = await Promise.all(
    visible
      .filter((entry) => entry.isFile())
      .map(async ({ name }) => {
        const path = join(folder, name)
        const facts = await lstat(path).catch(() => undefined)
        return facts && { path, bytes: facts.size, usedMs: facts.mtimeMs }
      }),
  )
  for (const file of files) if (file) yield file
  for (const entry of visible) if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name))
}

/** Moves a file to its place; another process may remove its folder while it is empty. */
const moveInto = (part: string, path: string, isCache: boolean): Promise<void> =>
  retry(
    async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(part, path).catch(async (thrown: unknown) => {
        if (!isCache || isMissing(thrown)) throw thrown
        // A folder that no store made stands there.
        await rm(path, { recursive: true, force: true })
        await rename(part, path)
      })
    },
    { may: isMissing, retries: MOVES },
  )

/** Writes a file elsewhere, has it reach the disk, and moves it into place: whole or not at all. */
const placeFile = async (
  path: string,
  write: (part: string) => Promise<void>,
  { incoming, isCache = false }: FolderBlobsOptions,
): Promise<void> => {
  const part = join(incoming, scratchName(''))
  try {
    await makeFolder(incoming, 0o700)
    await write(part)
    // It is acknowledged once it is kept: a power cut must not lose it.
    const handle = await open(part, 'r+')
    await handle.sync().finally(() => handle.close())
    await moveInto(part, path, isCache)
  } finally {
    await rm(part, { force: true })
  }
}

/** Copies to a file that does not exist yet, and leaves nothing half-written. */
const copyToNew = async (from: string, path: string): Promise<true> => {
  try {
    await copyFile(from, path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    return true
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true })
    throw thrown
  }
}

/** Removes the folders above a file that are empty now, up to the one of all blobs. */
const removeEmpty = async (folder: string, path: string): Promise<void> => {
  for (let above = dirname(path); above.length > folder.length; above = dirname(above))
    try {
      await rmdir(above)
    } catch {
      return
    }
}

/** Keeps blobs as files of a folder, which is made when it is needed; holds nothing open. */
export const folderBlobs = (folder: string, options: FolderBlobsOptions): FolderBlobs => {
  const { isCache = false, refuse, failed } = options
  const pathOf = (key: string): string => {
    if (!isBlobKey(key)) throw refuse(key)
    return join(folder, ...key.split('/'))
  }
  const place = async (key: string, write: (part: string) => Promise<void>): Promise<void> => {
    const path = pathOf(key)
    // Once more when another process removed the folder of all parts meanwhile.
    await retry(() => placeFile(path, write, options), { may: isMissing, retries: 1 }).catch((cause: unknown) => {
      throw failed('keep', key, cause)
    })
  }
  /** What `work` reads of a blob; undefined without a file. A link, a folder or a pipe was not made by a store. */
  const look = async <T>(
    key: string,
    work: (path: string, bytes: number) => T | Promise<T>,
  ): Promise<T | undefined> => {
    const path = pathOf(key)
    try {
      const facts = await lstat(path)
      return facts.isFile() ? await work(path, facts.size) : undefined
    } catch (thrown) {
      if (isCache || (isMissing(thrown) && !(await lstat(path).catch(() => undefined)))) return undefined
      throw failed('read', key, thrown)
    }
  }
  return {
    pathOf,
    async get(key, path) {
      return (await look(key, (blob) => copyToNew(blob, path))) ?? false
    },
    put: (key, path) => place(key, (part) => copyFile(path, part, constants.COPYFILE_FICLONE)),
    read: (key) => look(key, (path) => readFile(path, 'utf8')),
    write: (key, text) => place(key, (part) => writeFile(part, text, { flag: 'wx', mode: 0o600 })),
    size: (key) => look(key, (_, bytes) => bytes),
    async touch(keys) {
      await Promise.all(keys.map((key) => markUsed(pathOf(key))))
    },
    async *list(prefix): AsyncGenerator<StoredBlob> {
      const above = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      for await (const { path, bytes, usedMs } of filesBelow(above ? pathOf(above.slice(0, -1)) : folder)) {
        const key = relative(folder, path).replaceAll(sep, '/')
        if (key.startsWith(prefix)) yield { key, bytes, usedMs }
      }
    },
    async remove(keys) {
      for (const key of keys) {
        const path = pathOf(key)
        await rm(path, { recursive: isCache, force: true }).catch((cause: unknown) => {
          throw failed('remove', key, cause)
        })
        await removeEmpty(folder, path)
      }
    },
  }
}
