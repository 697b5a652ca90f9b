import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inTempFolder, removeAbandoned, scratchName } from '@vid/system'

const PREFIX = 'vid-call-'

const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 })

/**
 * Folders for the work of calls, each removed with its call. An environment has one call at a time: what an earlier one
 * has left, because it was frozen or its process killed, is removed before the next begins.
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
