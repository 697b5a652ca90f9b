import { realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isWithin } from '@vid/system'
import { fail } from './errors.ts'

/** The real path of a folder, or of its nearest existing ancestor. */
const realAbove = async (path: string): Promise<string> => {
  try {
    return await realpath(path)
  } catch (cause) {
    const above = dirname(path)
    if (above === path) throw cause
    return realAbove(above)
  }
}

/**
 * The folder of a cache. A path below the project must remain there after links are followed: an untrusted project must
 * not cause files to be written or removed elsewhere. A path elsewhere was chosen in the config.
 */
export const cacheRoot = async (projectDir: string, dir: string): Promise<string> => {
  const project = resolve(projectDir)
  const root = resolve(project, dir)
  if (!isWithin(root, project)) return root
  const [real, realProject] = await Promise.all([realAbove(root), realAbove(project)])
  if (isWithin(real, realProject)) return root
  throw fail('VID_STORE_FOLDER', { root, reason: `a link leads out of the project, to ${real}` })
}
