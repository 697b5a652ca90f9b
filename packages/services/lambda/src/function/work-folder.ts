import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inTempFolder, removeAbandoned, scratchName } from '@vid/system'

const PREFIX = 'vid-call-'

const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 })

/**
 * Creates a folder for each call, removed with the call. An environment handles one call at a time, so leftovers of a
 * frozen or killed call are removed before the next one begins.
 */
export const createWorkFolders = (parent: string) => {
  const leftovers = new Set<string>()
  return async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
    for (const folder of leftovers) await remove(folder).then(() => leftovers.delete(folder))
    await removeAbandoned(parent, PREFIX)
    const folder = join(parent, scratchName(PREFIX))
    await inTempFolder(() => mkdir(folder, { mode: 0o700 }))
    leftovers.add(folder)
    try {
      return await work(folder)
    } finally {
      await remove(folder).then(() => leftovers.delete(folder))
    }
  }
}
