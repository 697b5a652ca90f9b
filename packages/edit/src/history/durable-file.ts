import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

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
export const writeNewFile = async (path: string, bytes: Uint8Array | string, mode?: number): Promise<void> => {
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

/** Replaces a file by another content at once: old or new, whatever happens meanwhile. */
export const replaceFile = async (path: string, content: Uint8Array | string): Promise<void> => {
  const aside = join(dirname(path), `.vid-edit-${randomUUID()}`)
  const mode = (await stat(path).catch(() => undefined))?.mode
  try {
    await writeNewFile(aside, content, mode === undefined ? mode : mode & 0o7777)
    await rename(aside, path)
    await syncFolder(dirname(path))
  } finally {
    await rm(aside, { force: true })
  }
}
