import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { rethrowMachineFault } from '@vid/kernel'

const MAX_DEPTH = 8

/** Folders of other things than compositions: packages, and what commands of vid write. */
const OTHERS: ReadonlySet<string> = new Set(['node_modules', 'renders', 'snapshots'])

const depthOf = (path: string) => path.split('/').length

/**
 * The files of a project whose names match, relative to it, those of upper folders first; none of hidden folders and of
 * packages. Links to files are among them: where they lead to is for their reader to check.
 */
export const listFiles = async (dir: string, name: RegExp): Promise<readonly string[]> => {
  const inFolder = async (below: string, depth: number): Promise<string[]> => {
    const entries = (await readdir(join(dir, below), { withFileTypes: true }).catch(rethrowMachineFault)) ?? []
    const visible = entries.filter((each) => !each.name.startsWith('.'))
    const isFile = async (each: Dirent) => {
      if (!name.test(each.name) || !each.isSymbolicLink()) return name.test(each.name) && each.isFile()
      return (await stat(join(dir, below, each.name)).catch(rethrowMachineFault))?.isFile() === true
    }
    const areFiles = await Promise.all(visible.map(isFile))
    const files = visible.filter((_, index) => areFiles[index])
    const folders = visible.filter((each) => each.isDirectory() && !OTHERS.has(each.name))
    const inside = depth === MAX_DEPTH ? [] : folders.map((each) => inFolder(`${below}${each.name}/`, depth + 1))
    return [...files.map((each) => `${below}${each.name}`), ...(await Promise.all(inside)).flat()]
  }
  const found = await inFolder('', 0)
  return found.sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
}
