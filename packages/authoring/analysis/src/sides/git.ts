import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { lstat, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { copyNamedPackages, unpackProject } from '@vid/project'
import { childEnvironment } from '@vid/system'
import { fail } from '../errors.ts'

const exec = promisify(execFile)

/** A folder under git, and what is asked of it. */
export interface GitFolder {
  /** Absolute. */
  readonly folder: string
  readonly signal: AbortSignal
}

const optionsOf = ({ folder, signal }: GitFolder) => ({ cwd: folder, signal, env: childEnvironment() })

/** What git wrote about a failure, in one line. */
const reasonOf = (thrown: unknown): string => {
  const { code, stderr, message } = thrown as { code?: unknown; stderr?: string; message: string }
  if (code === 'ENOENT') return 'git is not installed'
  return (stderr?.trim() || message).split('\n')[0] ?? message
}

/** The commit that a revision names. */
export const findCommit = async (place: GitFolder, revision: string): Promise<string> => {
  try {
    const { stdout } = await exec(
      'git',
      ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`],
      optionsOf(place),
    )
    return stdout.trim()
  } catch (thrown) {
    place.signal.throwIfAborted()
    throw fail('VID_DIFF_REVISION', { revision, folder: place.folder, reason: reasonOf(thrown) }, { cause: thrown })
  }
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** The `node_modules` that a folder uses: its own, or the nearest above it. */
const modulesOf = async (folder: string): Promise<string | undefined> => {
  for (let place = resolve(folder); ; place = dirname(place)) {
    const modules = join(place, 'node_modules')
    if (await exists(modules)) return modules
    if (dirname(place) === place) return undefined
  }
}

/**
 * Writes a folder as it is in a commit below `scratch`, and returns where: git archives it, and nothing is checked out.
 * Packages are those of the working folder, since git does not keep them.
 */
export const takeCommit = async (place: GitFolder, commit: string, scratch: string): Promise<string> => {
  const { folder } = place
  const zip = join(scratch, `${commit}.zip`)
  const target = join(scratch, commit)
  if (await exists(target)) return target
  try {
    const child = execFile('git', ['archive', '--format=zip', '-1', commit], {
      ...optionsOf(place),
      encoding: 'buffer',
      maxBuffer: Number.POSITIVE_INFINITY,
    })
    const ended = new Promise<void>((settle, reject) => {
      child.once('error', reject)
      child.once('close', (code) => (code === 0 ? settle() : reject(new Error(`git archive ended with ${code}`))))
    })
    if (child.stdout) await Promise.all([pipeline(child.stdout, createWriteStream(zip)), ended])
    await unpackProject(zip, target, { signal: place.signal })
  } catch (thrown) {
    place.signal.throwIfAborted()
    throw fail('VID_DIFF_REVISION', { revision: commit, folder, reason: reasonOf(thrown) }, { cause: thrown })
  }
  await copyNamedPackages(folder, target, place.signal)
  // A config imports packages of the folders above it too.
  const modules = await modulesOf(folder)
  if (modules !== undefined && !(await exists(join(scratch, 'node_modules'))))
    await symlink(modules, join(scratch, 'node_modules'), 'junction')
  return target
}
