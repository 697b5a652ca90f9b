import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, chmod, copyFile, lstat, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeCause, makeFolder } from '@vid/kernel'
import { fail } from '../errors.ts'

/** Environment variables. */
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

/** Candidate cache folders of the user, in order of preference. */
export const cacheFolders = (env: Env, name: string): string[] => {
  const base = env.XDG_CACHE_HOME ?? env.LOCALAPPDATA ?? join(env.HOME ?? homedir(), '.cache')
  return [
    join(base, 'vid', name),
    join(env.TMPDIR ?? tmpdir(), `vid-${name}-${process.getuid?.() ?? 'user'}`),
  ]
}

/** Creates `folder` for this user alone, or throws: whoever can write to a folder controls the programs in it. */
export const claimFolder = async (folder: string) => {
  await makeFolder(folder, 0o700)
  const { uid, mode } = await lstat(folder)
  const self = process.getuid?.() ?? uid
  if (uid !== self || (process.platform !== 'win32' && (mode & 0o022) !== 0))
    throw new Error(`other users can write to ${folder}`)
}

/** Copies `source` to an executable file in `folder`; safe when several processes do so at once. */
const copyExecutable = async (source: string, folder: string, name: string) => {
  await claimFolder(folder)
  const target = join(folder, name)
  const [original, copy] = await Promise.all([stat(source), lstat(target).catch(() => undefined)])
  if (copy?.isFile() && copy.size === original.size && (await isExecutable(target))) return target
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

/** Returns the program itself when it is executable, else an executable copy in the user's cache. */
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

/** Path of the program that npm installed, made executable; undefined where npm has none for this platform. */
export const embeddedProgram = async (
  program: Program,
  env: Env = process.env,
): Promise<string | undefined> => {
  let installed: Installed
  try {
    installed = installers[program]()
  } catch {
    // The installers throw when they have no binary for this platform.
    return undefined
  }
  const extension = process.platform === 'win32' ? '.exe' : ''
  const version = installed.version.replace(/[^\w.-]/g, '_')
  return ensureExecutable(installed.path, `${program}-${version}${extension}`, env)
}
