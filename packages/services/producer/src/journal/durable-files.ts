import { dirname } from 'node:path'
import { syncFolder, writePrivateText } from '@vid/system'

/** Writes a file atomically, even across a power failure; only this user may read it. */
export const writeDurable = async (path: string, text: string): Promise<void> => {
  await writePrivateText(path, text)
  await syncFolder(dirname(path))
}
