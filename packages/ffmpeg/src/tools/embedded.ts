import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, chmod, copyFile, lstat, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeCause, makeFolder } from '@vid/kernel'
import { fail } from '../errors.ts'

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>
type Program = 'ffmpeg' | 'ffprobe'

const require = createRequire(import.meta.url)

interface Installed {
  readonly path: string
  readonly version: string
}
const installers: Readonly<Record<Program, () => Installed>> = {
  ffmpeg: () => require('@ffmpeg-installer/ffmpeg'),
  ffprobe: () => require('@ffprobe-installer/ffprobe'),
}

const isExecutable = (file: string) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  )

/** Folders where something of the user's may be kept, the preferred first. */
export const cacheFolders = (env: Env, name: string): string[] => {
  const base = env.XDG_CACHE_HOME ?? env.LOCALAPPDATA ?? join(env.HOME ?? homedir(), '.cache')
  return [
    join(base, 'vid', name),
    join(env.TMPDIR ?? tmpdir(), `vid-${name}-${process.getuid?.() ?? 'user'}`),
  ]
}

/** Makes `folder` ours alone, or throws: a program run from a folder that others can write is theirs. */
export const claimFolder = async (folder: string) => {
  await makeFolder(folder, 0o700)
  const { uid, mode } = await lstat(folder)
  const mine = process.getuid?.() ?? uid
  if (uid !== mine || (process.platform !== 'win32' && (mode & 0o022) !== 0))
    throw new Error(`${folder} can be written by others`)
}

/** Copies `source` to an executable file in `folder`; several processes may do so at once. */
const copyExecutable = async (source: string, folder: string, name: string) => {
  await claimFolder(folder)
  const target = join(folder, name)
  const [wanted, there] = await Promise.all([stat(source), lstat(target).catch(() => undefined)])
  if (there?.isFile() && there.size === wanted.size && (await isExecutable(target))) return target
  const partial = `${target}.${randomUUID()}`
  try {
    // Never a hard link: its mode is shared with the file in node_modules.
    await copyFile(source, partial, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    await chmod(partial, 0o755)
    await rename(partial, target)
  } finally {
    await rm(partial, { force: true })
  }
  return target
}

/** The program itself when it may be executed, else an executable copy in the user's cache. */
export const ensureExecutable = async (
  source: string,
  name: string,
  env: Env = process.env,
): Promise<string> => {
  if (await isExecutable(source)) return source
  const reasons: string[] = []
  for (const folder of cacheFolders(env, 'bin')) {
    try {
      return await copyExecutable(source, folder, name)
    } catch (cause) {
      reasons.push(describeCause(cause))
    }
  }
  throw fail('VID_FFMPEG_NOT_EXECUTABLE', { file: source, reason: reasons.join('; ') })
}

/** Path of the program that npm installed, made executable, or undefined where the platform has none. */
export const embeddedProgram = async (
  program: Program,
  env: Env = process.env,
): Promise<string | undefined> => {
  let installed: Installed
  try {
    installed = installers[program]()
  } catch {
    // The installers throw, one of them a bare string, when they have no binary for this platform.
    return undefined
  }
  const extension = process.platform === 'win32' ? '.exe' : ''
  const version = installed.version.replace(/[^\w.-]/g, '_')
  return ensureExecutable(installed.path, `${program}-${version}${extension}`, env)
}
