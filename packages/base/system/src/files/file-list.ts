import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { rethrowMachineFault } from '@vid/protocol'

const MAX_DEPTH = 8

/** Folders of other things than compositions: packages, and what commands of vid write. */
const OTHERS: ReadonlySet<string> = new Set(['node_modules', 'renders', 'snapshots'])

const depthOf = (path: string) => path.split('/').length

/**
 * The files of a project whose names match, relative to it, those of upper folders first; none of hidden folders and of
 * others that are left out. Links to files are among them: where they lead to is for their reader to check.
 */
export const listFiles = async (dir: string, name: RegExp, leftOut = OTHERS): Promise<readonly string[]> => {
  const inFolder = async (below: string, depth: number): Promise<string[]> => {
    const entries = (await readdir(join(dir, below), { withFileTypes: true }).catch(rethrowMachineFault)) ?? []
    const visible = entries.filter((entry) => !entry.name.startsWith('.'))
    const isFile = async (entry: Dirent) => {
      if (!name.test(entry.name) || !entry.isSymbolicLink()) return name.test(entry.name) && entry.isFile()
      return (await stat(join(dir, below, entry.name)).catch(rethrowMachineFault))?.isFile() === true
    }
    const areFiles = await Promise.all(visible.map(isFile))
    const files = visible.filter((_, index) => areFiles[index])
    const folders = visible.filter((entry) => entry.isDirectory() && !leftOut.has(entry.name))
    const inside = depth === MAX_DEPTH ? [] : folders.map((folder) => inFolder(`${below}${folder.name}/`, depth + 1))
    return [...files.map((file) => `${below}${file.name}`), ...(await Promise.all(inside)).flat()]
  }
  const paths = await inFolder('', 0)
  return paths.sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
}
