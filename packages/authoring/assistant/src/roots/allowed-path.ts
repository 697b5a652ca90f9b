import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { describeCause } from '@vid/protocol'
import { fail } from '../errors.ts'
import { isAllowed, type Roots } from './roots.ts'

const isMissing = (thrown: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((thrown as NodeJS.ErrnoException).code ?? '')

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Where a path really is, once the links of the folders above it are followed; it need not exist. */
const realPlace = async (path: string, shown: string): Promise<string> => {
  try {
    return await realpath(path)
  } catch (cause) {
    const reason = isMissing(cause) && (await exists(path)) ? 'it is a link that leads nowhere' : describeCause(cause)
    if (!isMissing(cause) || (await exists(path))) throw fail('VID_TOOL_OUTSIDE', { path: shown, reason }, { cause })
    const parent = dirname(path)
    return parent === path ? path : join(await realPlace(parent, shown), basename(path))
  }
}

/** What begins like an address; a single letter is a drive of Windows. */
const ADDRESS = /^[a-z][a-z0-9+.-]+:/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no path has
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * The real place of a path that a call names, from the first root; VID_TOOL_OUTSIDE where it is in no root. What does not
 * exist yet is placed by the folder that it would be in.
 */
export const allowedPath = async (path: string, roots: Roots): Promise<string> => {
  const shown = path.slice(0, 200)
  if (ADDRESS.test(path)) throw fail('VID_TOOL_OUTSIDE', { path: shown, reason: 'it is an address, not a path' })
  if (CONTROL.test(path)) throw fail('VID_TOOL_OUTSIDE', { path: shown, reason: 'it has control characters' })
  if (path.startsWith('~')) throw fail('VID_TOOL_OUTSIDE', { path: shown, reason: 'it begins with ~' })
  const place = await realPlace(resolve(roots[0], path), shown)
  if (isAllowed(roots, place)) return place
  throw fail('VID_TOOL_OUTSIDE', { path: shown, reason: 'it is outside of the roots' })
}

/** Whether something is at a path. */
export const isThere = exists
