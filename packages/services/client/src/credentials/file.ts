import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { describeCause, isVidError } from '@vid/protocol'
import { lockFile, retry, writePrivateText } from '@vid/system'
import { fail } from '../errors.ts'
import { readStored, type StoredCredentials } from '../stored.ts'

const MAX_BYTES = 2 ** 20
const LOCK_MS = 60_000
const LOCK_STEP_MS = 50

const codeOf = (cause: unknown) => (cause as NodeJS.ErrnoException).code

/** Path of a user's credentials file. */
export const credentialsPath = (env: NodeJS.ProcessEnv): string => join(env.HOME || homedir(), '.host', 'credentials')

/** Windows has no such modes; its home folders are private. */
const hasModes = process.platform !== 'win32'

const modeText = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0')

/** Refuses a folder or file that others can read or change. */
const checkMode = (path: string, mode: number, fix: string): void => {
  if (hasModes && (mode & 0o077) !== 0) throw fail('VID_CREDENTIALS_MODE', { path, mode: modeText(mode), fix })
}

const readText = async (path: string): Promise<string> => {
  // A link that appears after the check is not followed either.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) throw fail('VID_CREDENTIALS_KIND', { path, found: 'no file' })
    checkMode(path, facts.mode, '600')
    if (facts.size > MAX_BYTES) throw fail('VID_CREDENTIALS_DAMAGED', { path, problem: `it has ${facts.size} bytes` })
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** Reads the stored credentials; undefined if there are none. */
export const readCredentials = async (path: string): Promise<StoredCredentials | undefined> => {
  try {
    const facts = await lstat(path)
    if (facts.isSymbolicLink()) throw fail('VID_CREDENTIALS_KIND', { path, found: 'a link' })
    checkMode(dirname(path), (await stat(dirname(path))).mode, '700')
    const credentials = readStored(await readText(path))
    if (typeof credentials.problem === 'string' && Object.keys(credentials).length === 1)
      throw fail('VID_CREDENTIALS_DAMAGED', { path, problem: credentials.problem })
    return credentials as StoredCredentials
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    if (isVidError(cause)) throw cause
    throw fail('VID_CREDENTIALS_UNREADABLE', { path, reason: describeCause(cause) }, { cause })
  }
}

/** Writes the credentials, readable only by this user. */
const write = (path: string, credentials: StoredCredentials): Promise<void> =>
  writePrivateText(path, `${JSON.stringify(credentials, null, 2)}\n`)

/** Creates the private folder of the credentials. */
const makeFolder = async (path: string): Promise<void> => {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (hasModes && ((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700)
}

/** Acquires the lock of the credentials file. */
const lock = (path: string, signal: AbortSignal) =>
  retry(
    async () => {
      const { release, holder } = await lockFile(`${path}.lock`)
      if (!release) throw fail('VID_CREDENTIALS_LOCKED', { path, holder })
      return release
    },
    {
      signal,
      may: (error) => isVidError(error) && error.code === 'VID_CREDENTIALS_LOCKED',
      delays: () => LOCK_STEP_MS,
      withinMs: () => LOCK_MS,
    },
  )

/** Computes new credentials from the stored ones while no other process can change them; undefined removes them. */
export type ChangeCredentials = (
  credentials: StoredCredentials,
) => StoredCredentials | undefined | Promise<StoredCredentials | undefined>

/**
 * Changes the stored credentials under a lock, and removes them if `change` returns undefined; resolves to what is then
 * stored.
 */
export const changeCredentials = async (
  path: string,
  change: ChangeCredentials,
  signal: AbortSignal,
): Promise<StoredCredentials | undefined> => {
  try {
    await makeFolder(path)
    const release = await lock(path, signal)
    try {
      const current = (await readCredentials(path)) ?? {}
      const next = await change(current)
      if (next === undefined) await rm(path, { force: true })
      else if (next !== current) await write(path, next)
      return next
    } finally {
      await release()
    }
  } catch (cause) {
    signal.throwIfAborted()
    if (isVidError(cause)) throw cause
    throw fail('VID_CREDENTIALS_UNWRITABLE', { path, reason: describeCause(cause) }, { cause })
  }
}
