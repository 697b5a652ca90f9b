import { constants } from 'node:fs'
import { copyFile, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder, writePrivateText, writeWhole } from '@vid/system'

/** Flushes the names in a folder to the disk; some systems cannot open folders, and need it not. */
export const trySyncFolder = (path: string): Promise<void> => syncFolder(path).catch(() => {})

const syncFile = async (path: string): Promise<void> => {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Writes a new file, to the disk itself; rejects with the system's error, also when it exists. */
export const writeNewFile = async (path: string, bytes: Uint8Array, mode?: number): Promise<void> => {
  const file = await open(path, 'wx', mode ?? 0o666)
  try {
    await file.writeFile(bytes)
    // The mode of `open` is cut by that of the process.
    if (mode !== undefined) await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Copies a file to a new one, to the disk itself. */
export const copyNewFile = async (from: string, path: string): Promise<void> => {
  await copyFile(from, path, constants.COPYFILE_EXCL)
  await syncFile(path)
}

/** Replaces a file, with its mode, by another content at once: old or new, whatever happens meanwhile. */
export const replaceFile = async (path: string, content: Uint8Array): Promise<void> => {
  const { mode } = await stat(path)
  await writeWhole(path, (partial) => writeNewFile(partial, content, mode & 0o7777))
  await trySyncFolder(dirname(path))
}

/** Writes a record of the history at once. */
export const writeRecord = async (path: string, record: object): Promise<void> => {
  await writePrivateText(path, `${JSON.stringify(record)}\n`)
  await trySyncFolder(dirname(path))
}
