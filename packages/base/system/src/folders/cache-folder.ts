import { lstat, stat } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { makeFolder } from './folder.ts'
import { distrust } from './trust.ts'

/** A folder that may hold a user's cache. */
export interface CacheFolder {
  /** Absolute. */
  readonly path: string
  /** Whether the user has named it: no other is used in its place. */
  readonly chosen: boolean
}

/** The user's home folder; one that is empty or relative would lead into the current folder. */
const homeOf = (env: NodeJS.ProcessEnv): string | undefined => {
  if (env.HOME !== undefined && isAbsolute(env.HOME)) return env.HOME
  try {
    const { homedir } = userInfo()
    return isAbsolute(homedir) ? homedir : undefined
  } catch {
    // A container may run as a user that has no entry.
    return undefined
  }
}

const usualFolder = (env: NodeJS.ProcessEnv): string | undefined => {
  const home = homeOf(env)
  if (process.platform === 'win32') {
    const base = env.LOCALAPPDATA ?? (home && join(home, 'AppData', 'Local'))
    return base && join(base, 'vid', 'Cache')
  }
  return home && join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'vid')
}

/**
 * Folders for this user's cache, the preferred first: VID_CACHE_DIR, else that of XDG_CACHE_HOME, else the usual one of
 * the system, and where that cannot be used, one in the folder for temporary files. Empty and relative values of
 * XDG_CACHE_HOME do not count, as its specification says.
 */
export const cacheFolders = (env: NodeJS.ProcessEnv = process.env): readonly CacheFolder[] => {
  if (env.VID_CACHE_DIR) return [{ path: resolve(env.VID_CACHE_DIR), chosen: true }]
  const { XDG_CACHE_HOME: base = '' } = env
  const usual = usualFolder(env)
  const temporary = join(resolve(env.TMPDIR || tmpdir()), `vid-cache-${process.getuid?.() ?? 'user'}`)
  const xdg = process.platform === 'linux' && isAbsolute(base)
  const first = xdg ? { path: join(base, 'vid'), chosen: true } : usual && { path: usual, chosen: false }
  return [...(first ? [first] : []), { path: temporary, chosen: false }]
}

/**
 * Makes a folder for this user alone, and gives the reason why it is not safe to run programs from it; undefined when
 * it is: only this user and root can change it or a folder above it. Rejects if it cannot be created.
 */
export const claimFolder = async (path: string): Promise<string | undefined> => {
  await makeFolder(path, 0o700)
  // A link and the folder behind it may have different owners.
  const [link, folder] = await Promise.all([lstat(path), stat(path)])
  const userId = process.getuid?.() ?? folder.uid
  const other = [link.uid, folder.uid].find((uid) => uid !== userId)
  return other === undefined ? distrust(path) : `user ${other} owns it, not user ${userId}`
}

/** Makes a folder of this user's cache that only this user can write to; undefined if there can be none. */
export const claimCacheFolder = async (
  name: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> => {
  for (const { path, chosen } of cacheFolders(env)) {
    const folder = join(path, name)
    const isUsable = await claimFolder(folder).then(
      (distrusted) => distrusted === undefined,
      () => false,
    )
    if (isUsable) return folder
    if (chosen) return undefined
  }
  return undefined
}
