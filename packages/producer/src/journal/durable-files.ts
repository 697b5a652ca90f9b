import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes to the disk what a folder says of its entries. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a file that is whole or not there, also after the power has failed; only this user may read it. */
export const writeDurable = async (path: string, text: string): Promise<void> => {
  const beside = `${path}.${randomUUID()}.new`
  try {
    const handle = await open(beside, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, path)
  } catch (cause) {
    await rm(beside, { force: true }).catch(() => {})
    throw cause
  }
  await syncFolder(dirname(path))
}
