import { randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import {
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '@vid/kernel'
import { digestFile, digestText } from './digest.ts'

/** Folders of a cache: contents under their digest, what is known of segments, files that are being written. */
const FOLDERS = ['contents', 'segments', 'partial'] as const

/** A file that another process left half written when it was killed. */
const ABANDONED_MS = 60 * 60 * 1000

/** Makes the folders of a cache, which git is told to leave out. */
export const makeFolders = async (root: string): Promise<void> => {
  await makeFolder(root, 0o700)
  for (const folder of FOLDERS) await mkdir(join(root, folder), { recursive: true, mode: 0o700 })
  await writeFile(join(root, '.gitignore'), '*\n', { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause
  })
}

/** Puts a file in place whole and lasting, or not at all. */
const place = async (root: string, path: string, write: (part: string) => Promise<void>): Promise<void> => {
  const part = join(root, 'partial', randomUUID())
  try {
    await write(part)
    const handle = await open(part, 'r+')
    await handle.sync().finally(() => handle.close())
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await rename(part, path).catch(async () => {
      // A foreign folder stands there.
      await rm(path, { recursive: true, force: true })
      await rename(part, path)
    })
  } finally {
    await rm(part, { force: true })
  }
}

/** Writes a text whole or not at all. */
export const placeText = (root: string, path: string, text: string): Promise<void> =>
  place(root, path, (part) => writeFile(part, text, { mode: 0o600 }))

const contentPath = (root: string, digest: string) => join(root, 'contents', digest)

/** Keeps the bytes of a file; gives the digest that they are found by. */
export const keepFile = async (root: string, file: string): Promise<string> => {
  const digest = await digestFile(file)
  const path = contentPath(root, digest)
  // What is there under this name may be damaged: it is written anew.
  await place(root, path, (part) => copyFile(file, part, constants.COPYFILE_FICLONE))
  return digest
}

/** Keeps a text; gives the digest that it is found by. */
export const keepText = async (root: string, text: string): Promise<string> => {
  const digest = digestText(text)
  await placeText(root, contentPath(root, digest), text)
  return digest
}

/** Whether a path is a file and not a link, a folder or a pipe, which nobody here has made; such a thing is removed. */
export const isOwnFile = async (path: string): Promise<boolean> => {
  const facts = await lstat(path).catch(() => undefined)
  if (facts && !facts.isFile()) await rm(path, { recursive: true, force: true }).catch(() => {})
  return facts?.isFile() ?? false
}

/** Copies kept bytes to a new file; false when they are gone or damaged, and then they are thrown away. */
export const takeFile = async (root: string, digest: string, file: string): Promise<boolean> => {
  const path = contentPath(root, digest)
  if (!(await isOwnFile(path))) return false
  try {
    // A copy first: another process may remove what is being read.
    await copyFile(path, file, constants.COPYFILE_FICLONE)
    if ((await digestFile(file)) === digest) return true
    await rm(path, { force: true })
  } catch {
    // Gone meanwhile, or there is no place for the copy: it is made as if it had never been kept.
  }
  await rm(file, { force: true })
  return false
}

/** A kept text; undefined when it is gone or damaged. */
export const takeText = async (root: string, digest: string): Promise<string | undefined> => {
  const path = contentPath(root, digest)
  const text = (await isOwnFile(path)) ? await readFile(path, 'utf8').catch(() => undefined) : undefined
  return text !== undefined && digestText(text) === digest ? text : undefined
}

interface KeptFile {
  readonly path: string
  readonly facts: Stats
}

/** Every file of a cache. */
const filesOf = async (root: string): Promise<KeptFile[]> => {
  const names = await Promise.all(
    FOLDERS.map(async (folder) => {
      const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
        () => [],
      )
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    }),
  )
  const files = await Promise.all(
    names.flat().map(async (path) => ({ path, facts: await stat(path).catch(() => undefined) })),
  )
  return files.filter((file): file is KeptFile => file.facts !== undefined)
}

/** Removes what was used longest ago until the rest fits. Each file counts by itself: one without the other is noticed. */
export const evict = async (root: string, maxBytes: number): Promise<void> => {
  const files = await filesOf(root)
  let bytes = files.reduce((sum, { facts }) => sum + facts.size, 0)
  for (const { path, facts } of files.sort((a, b) => a.facts.mtimeMs - b.facts.mtimeMs)) {
    const isPartial = dirname(path) === join(root, 'partial')
    const isAbandoned = isPartial && Date.now() - facts.mtimeMs > ABANDONED_MS
    if (isPartial ? !isAbandoned : bytes <= maxBytes) continue
    await rm(path, { force: true })
    bytes -= facts.size
  }
}

/** Removes a cache; gives the bytes that this frees. Files that it did not make stay. */
export const clean = async (root: string): Promise<number> => {
  const files = await filesOf(root)
  for (const folder of FOLDERS) await rm(join(root, folder), { recursive: true, force: true })
  await rm(join(root, '.gitignore'), { force: true })
  await rmdir(root).catch(() => {})
  return files.reduce((sum, { facts }) => sum + facts.size, 0)
}
