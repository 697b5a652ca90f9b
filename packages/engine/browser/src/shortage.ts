import { statfsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { groupMemoryKills, machineMemory } from '@vid/system'

/** What the machine lacked when a browser or a page ended, as far as the system tells. */
export interface Shortage {
  /** The folder of the profile and the bytes that are free there, where those are too few. */
  readonly folder?: string
  readonly freeBytes?: number
  /** Whether the system has ended processes for lack of memory. */
  readonly isKilled: boolean
  /** Bytes of memory that this process may use, where a limit allows it less than the machine has. */
  readonly limitBytes?: number
}

/** With less, Chromium itself warns that its shared memory may not fit. */
export const NEEDED_BYTES = 64e6

const freeBytesIn = (folder: string): number => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY // It is gone with its browser.
  }
}

/** Watches what a browser can run short of; `profile` is its folder, and `parent` the one that the user knows. */
export const watchShortage = (profile: string, parent: string): (() => Shortage) => {
  const killedBefore = groupMemoryKills() ?? 0
  return () => {
    const freeBytes = freeBytesIn(profile)
    const limitBytes = machineMemory()
    return {
      ...(freeBytes < NEEDED_BYTES && { folder: parent, freeBytes }),
      isKilled: (groupMemoryKills() ?? 0) > killedBefore,
      ...(limitBytes < totalmem() && { limitBytes }),
    }
  }
}
