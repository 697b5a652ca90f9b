import { resolve } from 'node:path'
import { describeCause, type VidError } from '@vid/protocol'
import { type CacheFolder, cacheFolders, claimFolder } from '@vid/system'
import { assetError } from '../errors.ts'

const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'])

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? ''

/** Why a folder cannot be the cache folder; undefined when it can. */
const refusalOf = async ({ path, chosen }: CacheFolder): Promise<VidError | undefined> => {
  try {
    const reason = await claimFolder(path)
    return reason === undefined ? undefined : assetError('VID_CACHE_DIR_UNSAFE', { path, reason })
  } catch (cause) {
    const unusable = assetError('VID_CACHE_DIR_UNUSABLE', { path, reason: describeCause(cause) }, { cause })
    if (chosen || !UNWRITABLE.has(codeOf(cause))) throw unusable
    return unusable
  }
}

/**
 * Opens the cache folder of this user, made with mode 0700 if needed, and returns its absolute path. Function hosts often
 * have no home folder that can be written: the folder for temporary files must do.
 */
export const openCacheDir = async (env: NodeJS.ProcessEnv, cacheFolder?: string): Promise<string> => {
  const folders =
    cacheFolder === undefined ? cacheFolders(env) : [{ path: resolve(cacheFolder), chosen: true } as const]
  let refusal: VidError | undefined
  for (const folder of folders) {
    refusal = await refusalOf(folder)
    if (refusal === undefined) return folder.path
    if (folder.chosen) break
  }
  throw refusal
}
