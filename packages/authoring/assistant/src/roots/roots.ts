import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describeCause, isVidError } from '@vid/protocol'
import { isWithin } from '@vid/system'
import { fail } from '../errors.ts'

/** The folders that tools may read and write: absolute, with their links resolved. Relative paths start from the first. */
export type Roots = readonly [string, ...string[]]

const openRoot = async (path: string): Promise<string> => {
  try {
    const real = await realpath(path)
    if (!(await stat(real)).isDirectory()) throw fail('VID_TOOL_ROOT', { root: path, reason: 'it is no folder' })
    return real
  } catch (cause) {
    if (isVidError(cause)) throw cause
    throw fail('VID_TOOL_ROOT', { root: path, reason: describeCause(cause) }, { cause })
  }
}

/** Makes roots of the folders that a person named; of the current one where none is named. */
export const openRoots = async (paths: readonly string[], cwd: string): Promise<Roots> => {
  const [first = cwd, ...others] = [...new Set(paths.map((path) => resolve(cwd, path)))]
  return [await openRoot(first), ...(await Promise.all(others.map(openRoot)))]
}

/** Whether a real path is in one of the roots. */
export const isAllowed = (roots: Roots, path: string): boolean => roots.some((root) => isWithin(path, root))
