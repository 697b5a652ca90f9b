import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { configNames, foldersAbove } from '@vid/config/names'
import { distrust } from '@vid/system'
import { fail } from '../errors.ts'
import { isAllowed, type Roots } from './roots.ts'

/** The config file that a command in this folder would load. */
const findConfig = async (folder: string): Promise<string | undefined> => {
  for (const place of foldersAbove(folder))
    for (const name of configNames) {
      const file = join(place, name)
      const facts = await stat(file).catch(() => undefined)
      if (facts !== undefined && !facts.isDirectory()) return file
    }
  return undefined
}

/**
 * Refuses a folder whose config would be code of others: outside of the roots, or writable by another user. A call that
 * names a folder does not make its config trusted, as a person does who stands in it.
 */
export const requireTrustedConfig = async (folder: string, roots: Roots): Promise<void> => {
  const file = await findConfig(folder)
  if (file === undefined) return
  if (!isAllowed(roots, await realpath(file)))
    throw fail('VID_TOOL_CONFIG', { file, reason: 'it is outside of the roots' })
  const owners = [(await stat(roots[0])).uid]
  const reason = await distrust(file, { owners })
  if (reason !== undefined) throw fail('VID_TOOL_CONFIG', { file, reason })
}
