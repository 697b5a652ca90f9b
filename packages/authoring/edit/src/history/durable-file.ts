import { constants } from 'node:fs'
import { copyFile, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writePrivateText, writeWhole } from '@vid/system'

/** Makes sure that renames in a folder outlast a loss of power; some systems cannot open folders, and need it not. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

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
  await syncFolder(dirname(path))
}

/** Writes a record of the history at once. */
export const writeRecord = async (path: string, record: object): Promise<void> => {
  await writePrivateText(path, `${JSON.stringify(record)}\n`)
  await syncFolder(dirname(path))
}
