import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createRecentMap, recentWork, rethrowMachineFault } from '@vid/protocol'
import { checkRows } from '@vid/render'
import { fileMark } from '@vid/server'
import { listFiles } from '@vid/system'

/** JSON files that are read at most, and the longest of them, in bytes: others can be loaded from anywhere. */
const MAX_FILES = 100
const MAX_BYTES = 8 * 1024 * 1024

/** Finds the files of a project that hold the rows of a batch. */
export const createBatchList = (dir: string): (() => Promise<readonly string[]>) => {
  const answers = createRecentMap<string, Promise<boolean>>(MAX_FILES)
  const hasRows = async (path: string): Promise<boolean> => {
    try {
      checkRows(JSON.parse(await readFile(path, 'utf8')), path)
      return true
    } catch (thrown) {
      rethrowMachineFault(thrown)
      return false // data of something else
    }
  }
  const isBatch = async (file: string): Promise<boolean> => {
    const path = join(dir, file)
    const facts = await stat(path).catch(rethrowMachineFault)
    if (!facts || facts.size > MAX_BYTES) return false
    return recentWork(answers, `${path} ${fileMark(facts)}`, () => hasRows(path))
  }
  return async () => {
    const files = (await listFiles(dir, /\.json$/i)).slice(0, MAX_FILES)
    const results = await Promise.all(files.map(isBatch))
    return files.filter((_, index) => results[index])
  }
}
