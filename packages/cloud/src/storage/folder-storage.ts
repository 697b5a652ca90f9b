import { constants, createReadStream } from 'node:fs'
import { copyFile, mkdir, open, opendir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { type Blobs, describeCause, isVidError, type StoredBlob } from '@vid/kernel'
import { makeFolder, markUsed, removeAbandoned, retry, scratchName } from '@vid/system'
import { fail } from '../errors.ts'
import type { SignedFiles } from './signed-files.ts'
import { isKey, type Storage } from './storage.ts'

const isMissing = (thrown: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String((thrown as NodeJS.ErrnoException).code))

/** Name of the folder in which files are written before they are moved to their place. */
const INCOMING = '.incoming'

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch((thrown: unknown) => {
    if (isMissing(thrown)) return undefined
    throw thrown
  })
  if (!entries) return
  for await (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* filesBelow(path)
    else if (entry.isFile()) yield path
  }
}

/** How often a file is moved again whose folder was removed meanwhile. */
const MOVES = 20

/** Moves a file to its place; another process may remove its folder while it is empty. */
const moveInto = (from: string, target: string): Promise<void> =>
  retry(
    async () => {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await rename(from, target)
    },
    { may: isMissing, retries: MOVES },
  )

/** Removes the folders above a file that are empty now, up to the storage's own. */
const removeEmpty = async (folder: string, path: string): Promise<void> => {
  for (let above = dirname(path); above.length > folder.length; above = dirname(above))
    try {
      await rmdir(above)
    } catch {
      return
    }
}

/** How a folder is used. */
export interface FolderUse {
  /** Several processes may use it at a time; otherwise reading makes nothing, and nothing beside the files is left. */
  readonly isShared?: boolean
}

/** A storage in a folder, whose files the server itself offers at signed addresses. */
export const openFolderStorage = async (
  folder: string,
  files: SignedFiles,
  { isShared = true }: FolderUse = {},
): Promise<Storage & { pathOf(key: string): string }> => {
  const incoming = join(folder, INCOMING)
  if (isShared) {
    await makeFolder(incoming, 0o700)
    // What killed processes were writing; others may use the folder at the moment.
    await removeAbandoned(incoming, '')
  }

  const pathOf = (key: string): string => {
    if (!isKey(key)) throw new TypeError(`not a key: ${key}`)
    return join(folder, ...key.split('/'))
  }
  const failing = (action: string, key: string) => (cause: unknown) => {
    if (isVidError(cause)) throw cause
    throw fail('VID_CLOUD_STORAGE', { action, key, reason: describeCause(cause) }, { cause })
  }
  const place = async (key: string, write: (part: string) => Promise<void>): Promise<void> => {
    const target = pathOf(key)
    const part = join(incoming, scratchName(''))
    if (!isShared) await makeFolder(incoming, 0o700)
    try {
      await write(part)
      // It is acknowledged once it is kept: a power cut must not lose it.
      const handle = await open(part, 'r+')
      await handle.sync().finally(() => handle.close())
      await moveInto(part, target)
    } catch (cause) {
      failing('keep', key)(cause)
    } finally {
      await rm(part, { force: true })
    }
  }
  const put = (key: string, path: string) => place(key, (part) => copyFile(path, part, constants.COPYFILE_FICLONE))
  const get = async (key: string, path: string): Promise<boolean> => {
    try {
      await copyFile(pathOf(key), path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
      return true
    } catch (thrown) {
      if (isMissing(thrown) && (await size(key)) === undefined) return false
      throw thrown
    }
  }
  const size = (key: string) =>
    stat(pathOf(key)).then(
      ({ size: bytes }) => bytes,
      (thrown: unknown) => {
        if (isMissing(thrown)) return undefined
        throw thrown
      },
    )
  async function* list(prefix: string): AsyncGenerator<StoredBlob> {
    const start = join(folder, ...prefix.split('/').slice(0, -1))
    for await (const path of filesBelow(start)) {
      const key = relative(folder, path).split(sep).join('/')
      if (!key.startsWith(prefix)) continue
      const facts = await stat(path).catch(() => undefined)
      if (facts) yield { key, bytes: facts.size, usedMs: facts.mtimeMs }
    }
  }
  const readInto = (key: string, path: string) => get(key, path).catch(failing('read', key))
  const remove = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await rm(pathOf(key), { force: true }).catch(failing('remove', key))
      await removeEmpty(folder, pathOf(key))
    }
  }
  const readText = (key: string) =>
    readFile(pathOf(key), 'utf8').catch((thrown: unknown) =>
      isMissing(thrown) ? undefined : failing('read', key)(thrown),
    )
  const blobs = (prefix: string): Blobs => ({
    get: (key, path) => readInto(`${prefix}${key}`, path),
    put: (key, path) => put(`${prefix}${key}`, path),
    read: (key) => readText(`${prefix}${key}`),
    write: (key, text) => place(`${prefix}${key}`, (part) => writeFile(part, text, { flag: 'wx', mode: 0o600 })),
    touch: async (keys) => void (await Promise.all(keys.map((key) => markUsed(pathOf(`${prefix}${key}`))))),
    async list(start) {
      const entries: StoredBlob[] = []
      for await (const blob of list(`${prefix}${start}`)) entries.push({ ...blob, key: blob.key.slice(prefix.length) })
      return entries.sort((a, b) => b.usedMs - a.usedMs)
    },
    remove: (key) => remove([`${prefix}${key}`]),
  })
  return {
    description: `folder ${folder}`,
    pathOf,
    put,
    get: readInto,
    read: async (key) => {
      const handle = await open(pathOf(key), 'r').catch((thrown: unknown) => {
        if (isMissing(thrown)) return undefined
        return failing('read', key)(thrown)
      })
      return handle && createReadStream('', { fd: handle })
    },
    size: (key) => size(key).catch(failing('read', key)),
    remove,
    list,
    blobs,
    address: async (key, options) => files.addressOf(key, options),
    async close() {
      if (!isShared) await rm(incoming, { recursive: true, force: true })
    },
  }
}
