import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writePrivateText } from '@vid/system'

/** Flushes a folder's entries to disk. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a file atomically, even across a power failure; only this user may read it. */
export const writeDurable = async (path: string, text: string): Promise<void> => {
  await writePrivateText(path, text)
  await syncFolder(dirname(path))
}
