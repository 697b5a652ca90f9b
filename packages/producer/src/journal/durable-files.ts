import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writePrivateText } from '@vid/system'

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
  await writePrivateText(path, text)
  await syncFolder(dirname(path))
}
