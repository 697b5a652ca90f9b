import { access, constants, rename, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { inTempFolder, keepsScratch, makeScratchFolder, removeAbandoned, reportKept } from '@vid/system'

/** A browser's private profile folder (mode 0700). */
export interface BrowserProfile {
  /** Absolute. */
  readonly path: string
  /** Removes the folder, or keeps it with `VID_KEEP_SCRATCH=1`; call it after the browser has exited. */
  remove(): Promise<void>
}

const TMPFS = '/dev/shm'
const MARK = 'vid-profile-'
/** Differs from the prefix of profiles in use, which the next render removes once their process has ended. */
const KEPT_MARK = 'vid-kept-profile-'
/** A profile with the raw-pixel ring of a 4K page needs about 200 MB; containers often give 64 MB. */
const ROOM_BYTES = 512 * 1024 * 1024

/** Whether the shared-memory folder exists, is writable and has room for profiles and the browser's own files. */
export const hasRoomyTmpfs = async (folder = TMPFS): Promise<boolean> => {
  try {
    await access(folder, constants.W_OK)
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize >= ROOM_BYTES
  } catch {
    return false
  }
}

const keep = async (parent: string, path: string) => {
  const keptPath = join(parent, basename(path).replace(MARK, KEPT_MARK))
  await rename(path, keptPath)
  reportKept('the browser profile', keptPath)
}

/** Removes the profiles of processes that have ended. */
export const removeAbandonedProfiles = async (): Promise<void> => {
  await Promise.all([...new Set([TMPFS, tmpdir()])].map((folder) => removeAbandoned(folder, MARK)))
}

/** Creates a profile folder in memory, or in the temp folder if that is small; removes those of killed processes. */
export const createProfile = async (): Promise<BrowserProfile> => {
  const makeIn = async (parent: string) => ({ parent, path: await makeScratchFolder(parent, MARK) })
  const { parent, path } = await ((await hasRoomyTmpfs()) ? makeIn(TMPFS) : inTempFolder(makeIn))
  // Runs in parallel with the launch, which it must not delay.
  const tidying = removeAbandonedProfiles()
  const remove = async () => {
    await tidying
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
  return { path, remove: () => (keepsScratch() ? keep(parent, path) : remove()) }
}
