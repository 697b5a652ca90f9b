import { lstat, stat } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { describeCause, makeFolder } from '@vid/kernel'
import envPaths from 'env-paths'
import { assetError } from '../errors.ts'

const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'])

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? ''

const chosenPath = (env: NodeJS.ProcessEnv): string | undefined => {
  if (env.VID_CACHE_DIR) return resolve(env.VID_CACHE_DIR)
  if (process.platform === 'linux' && env.XDG_CACHE_HOME) return join(resolve(env.XDG_CACHE_HOME), 'vid')
  return undefined
}

/** Refuses a folder that another user owns or can write to: we run programs from it. */
const requirePrivate = async (path: string): Promise<void> => {
  const facts = await stat(path)
  if (!facts.isDirectory()) throw assetError('VID_CACHE_DIR_UNUSABLE', { path, reason: 'it is not a folder' })
  if (process.getuid === undefined) return
  const uid = process.getuid()
  const owner = [facts.uid, (await lstat(path)).uid].find((each) => each !== uid)
  if (owner !== undefined) {
    throw assetError('VID_CACHE_DIR_UNSAFE', { path, reason: `user ${owner} owns it, not user ${uid}` })
  }
  if ((facts.mode & 0o002) !== 0) {
    throw assetError('VID_CACHE_DIR_UNSAFE', { path, reason: 'every user may write to it' })
  }
}

/** Opens the cache folder of this user, made with mode 0700 if needed, and returns its absolute path. */
export const openCacheDir = async (env: NodeJS.ProcessEnv, wanted?: string): Promise<string> => {
  const chosen = wanted === undefined ? chosenPath(env) : resolve(wanted)
  let path = chosen ?? envPaths('vid', { suffix: '' }).cache
  try {
    await makeFolder(path, 0o700)
  } catch (cause) {
    // Function hosts often have no writable home folder: the temp folder must do.
    if (chosen !== undefined || !UNWRITABLE.has(codeOf(cause))) {
      throw assetError('VID_CACHE_DIR_UNUSABLE', { path, reason: describeCause(cause) }, { cause })
    }
    path = join(tmpdir(), `vid-cache-${userInfo().uid}`)
    await makeFolder(path, 0o700)
  }
  await requirePrivate(path)
  return path
}
