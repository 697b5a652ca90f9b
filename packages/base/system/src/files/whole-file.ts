import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

/** Lets `write` make a file or folder beside a path and moves it there, so that it is there whole or not at all. */
export const writeWhole = async (path: string, write: (partial: string) => Promise<unknown>): Promise<void> => {
  const partial = `${path}.${randomUUID()}.new`
  try {
    await write(partial)
    await rename(partial, path)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** Writes a text for this user alone, which has reached the disk before it is there. */
export const writePrivateText = (path: string, text: string): Promise<void> =>
  writeWhole(path, async (partial) => {
    const handle = await open(partial, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
  })

/** Makes sure that renames in a folder outlast a loss of power; rejects where the system cannot open folders. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
