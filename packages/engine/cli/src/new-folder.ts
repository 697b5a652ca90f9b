import { chmod, constants, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The absolute path of a file to copy, which may be too large for the memory. */
export interface CopiedFile {
  readonly copyOf: string
}

/** Contents of files by their paths in a folder. */
export type FolderFiles = Readonly<Record<string, string | Buffer | CopiedFile>>

const isCopied = (content: FolderFiles[string]): content is CopiedFile =>
  typeof content === 'object' && 'copyOf' in content

/** Entries that a folder without files of its own may have. */
const HARMLESS = ['.git', '.DS_Store']

const writeFiles = async (folder: string, files: FolderFiles, signal: AbortSignal, names: string[] = []) => {
  for (const [name, content] of Object.entries(files)) {
    signal.throwIfAborted()
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    const copying = isCopied(content)
      ? copyFile(content.copyOf, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      : writeFile(path, content, { flag: 'wx' })
    await copying.catch((thrown: NodeJS.ErrnoException) => {
      // What another program has put there is not ours to remove; a file cut short by a full disk is.
      if (thrown.code !== 'EEXIST') names.push(name)
      throw thrown
    })
    names.push(name)
  }
}

/**
 * Makes a folder with files, all of them or none: they are written beside it and renamed into place. Fails when
 * something is there, unless it is an empty folder.
 */
export const writeNewFolder = async (folder: string, files: FolderFiles, signal: AbortSignal): Promise<void> => {
  await mkdir(dirname(folder), { recursive: true })
  const fresh = await mkdtemp(`${folder}.`)
  try {
    // A temporary folder is private; this one is like any other folder.
    await chmod(fresh, 0o777 & ~process.umask())
    await writeFiles(fresh, files, signal)
    await rename(fresh, folder)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** The entries of a folder that hold something of its owner; undefined where there is no folder. */
export const entriesOf = async (folder: string): Promise<readonly string[] | undefined> => {
  try {
    return (await readdir(folder)).filter((name) => !HARMLESS.includes(name))
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw thrown
  }
}

/** Puts files into a folder that is empty and stays the same folder: a shell may stand in it. Removes them when one fails. */
export const fillFolder = async (folder: string, files: FolderFiles, signal: AbortSignal): Promise<void> => {
  const names: string[] = []
  try {
    await writeFiles(folder, files, signal, names)
  } catch (thrown) {
    const tops = new Set(names.map((name) => name.split('/')[0] ?? name))
    for (const name of tops) await rm(join(folder, name), { recursive: true, force: true })
    throw thrown
  }
}
