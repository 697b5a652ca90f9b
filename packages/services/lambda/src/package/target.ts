import { lstat, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rethrowMachineFault } from '@vid/protocol'
import { removeAbandoned, scratchName } from '@vid/system'
import { fail } from '../errors.ts'

const PREFIX = '.vid-package-'

/** Whether a path is a file. */
export const isFile = async (path: string): Promise<boolean> => (await lstat(path)).isFile()

/** Refuses an existing path, unless it may be replaced and has the kind of the output. */
export const checkReplaceable = async (
  path: string,
  replaces: boolean,
  isOfKind: (path: string) => Promise<boolean>,
): Promise<void> => {
  if (!(await lstat(path).catch(rethrowMachineFault))) return
  const isReplaceable = await isOfKind(path)
  if (!replaces || !isReplaceable) throw fail('VID_LAMBDA_PACKAGE_EXISTS', { path, isReplaceable })
}

/** Writes a file or folder beside its path and renames it, so that it appears whole or not at all. */
export const writeTarget = async <T>(path: string, write: (staged: string) => Promise<T>): Promise<T> => {
  const parent = dirname(path)
  await mkdir(parent, { recursive: true })
  await removeAbandoned(parent, PREFIX)
  const staged = join(parent, `${scratchName(PREFIX)}`)
  const earlier = join(parent, `${scratchName(PREFIX)}`)
  try {
    const result = await write(staged)
    // A folder cannot be renamed onto another one that contains files.
    const existing = await lstat(path).catch(rethrowMachineFault)
    if (existing?.isDirectory()) await rename(path, earlier)
    await rename(staged, path).catch(async (thrown: unknown) => {
      if (existing?.isDirectory()) await rename(earlier, path)
      throw thrown
    })
    return result
  } finally {
    await rm(staged, { recursive: true, force: true })
    await rm(earlier, { recursive: true, force: true })
  }
}
