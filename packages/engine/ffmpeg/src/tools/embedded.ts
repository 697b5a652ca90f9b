import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, chmod, copyFile, lstat, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describeCause } from '@vid/protocol'
import { cacheFolders, claimFolder, digestFile, RUNS_NO_PROGRAMS, runsPrograms, writeWhole } from '@vid/system'
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

/** What can be read of a file without reading its bytes: while it stays, so do they. */
const identityOf = async (file: string): Promise<string> => {
  const { ino, size, mode, mtimeNs, ctimeNs } = await lstat(file, { bigint: true })
  return [ino, size, mode, mtimeNs, ctimeNs].join(' ')
}

/** Whether a copy is whole and may be executed, by its bytes. */
const isCopy = async (target: string, source: string): Promise<boolean> => {
  const facts = await lstat(target).catch(() => undefined)
  if (!facts?.isFile() || facts.size !== (await lstat(source)).size || !(await isExecutable(target))) return false
  return (await digestFile(target)) === (await digestFile(source))
}

/**
 * Copies `source` to an executable file in `folder`, unless neither has changed since; safe for several processes at once.
 * Several projects that have the same program share the copy.
 */
const copyExecutable = async (source: string, folder: string, name: string) => {
  const reason = await claimFolder(folder)
  if (reason !== undefined) throw new Error(reason)
  if (!(await runsPrograms(folder))) throw new Error(`${folder}: ${RUNS_NO_PROGRAMS}`)
  const target = join(folder, name)
  const record = `${target}.${createHash('sha256').update(source).digest('hex').slice(0, 12)}.identity`
  const identities = async () => `${await identityOf(source)}\n${await identityOf(target)}`
  const recordText = await readFile(record, 'utf8').catch(() => undefined)
  if (recordText !== undefined && recordText === (await identities().catch(() => undefined))) return target
  if (!(await isCopy(target, source)))
    await writeWhole(target, async (partial) => {
      // Never a hard link: its mode is shared with the file in node_modules.
      await copyFile(source, partial, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      await chmod(partial, 0o755)
    })
  const identity = await identities()
  await writeWhole(record, (partial) => writeFile(partial, identity, { mode: 0o600 }))
  return target
}

/** Returns the program itself when it is executable, else an executable copy in the user's cache. */
export const ensureExecutable = async (source: string, name: string, env: Env = process.env): Promise<string> => {
  if (await isExecutable(source)) return source
  const reasons: string[] = []
  for (const { path } of cacheFolders(env)) {
    try {
      return await copyExecutable(source, join(path, 'bin'), name)
    } catch (cause) {
      reasons.push(describeCause(cause))
    }
  }
  throw fail('VID_FFMPEG_NOT_EXECUTABLE', { file: source, reason: reasons.join('; ') })
}

/** Path of the program that npm installed, made executable; undefined where npm has none for this platform. */
export const embeddedProgram = async (program: Program, env: Env = process.env): Promise<string | undefined> => {
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
