import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { backOff, lockFile, makeFolder, retry } from '@vid/system'
import { fail } from '../errors.ts'

/** Where the history of a project is kept, from its folder. */
const STEPS = ['.vid', 'history'] as const

/** Parts of the history that are folders. */
const FOLDERS = ['entries', 'blobs'] as const

/** Refuses a link, through which another folder would be written. */
const requireFolder = async (path: string): Promise<void> => {
  const facts = await lstat(path).catch(() => undefined)
  if (facts && !facts.isDirectory())
    throw fail('VID_EDIT_PATH', { path, reason: 'is not a folder of its own, so the history cannot be kept in it' })
}

/** The folder of a project's history; made where `make` says so. */
export const historyFolder = async (dir: string, make: boolean): Promise<string> => {
  let folder = dir
  for (const step of STEPS) {
    folder = join(folder, step)
    await requireFolder(folder)
  }
  for (const name of FOLDERS) await requireFolder(join(folder, name))
  if (make) for (const name of FOLDERS) await makeFolder(join(folder, name))
  return folder
}

const LOCK_WAITS = { firstMs: 20, maxMs: 400 }
/** How long a write waits for another one. */
const LOCK_WITHIN_MS = 10_000

/** Holds the lock of a history meanwhile; VID_EDIT_BUSY while another process has it for long. */
export const withHistoryLock = async <T>(
  folder: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> => {
  const release = await retry(
    async () => {
      const lock = await lockFile(join(folder, 'lock'))
      if (lock.release === undefined) throw fail('VID_EDIT_BUSY', { holder: lock.holder })
      return lock.release
    },
    {
      signal,
      may: (error) => (error as { readonly code?: unknown }).code === 'VID_EDIT_BUSY',
      delays: backOff(LOCK_WAITS),
      withinMs: () => LOCK_WITHIN_MS,
    },
  )
  try {
    return await work()
  } finally {
    await release()
  }
}
