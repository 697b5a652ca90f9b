import { rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeCause, isVidError } from '@vid/protocol'
import { inTempFolder, lockFile, makeFolder, makeScratchFolder, removeAbandoned } from '@vid/system'
import { fail } from '../errors.ts'

const SCRATCH = 'vid-producer-'

/** The folder that holds all files of a server. */
export interface ServerFolder {
  readonly path: string
  release(): Promise<void>
}

/** Why others could change the server's state or insert requests; undefined if they cannot. */
const distrustOf = async (stateDir: string): Promise<string | undefined> => {
  const { uid, mode } = await stat(stateDir)
  const user = process.getuid?.()
  if (user !== undefined && uid !== user && uid !== 0) return 'it belongs to another user'
  return user !== undefined && (mode & 0o002) !== 0 ? 'every user may write into it' : undefined
}

/** Opens the folder of a server: its state folder, which is then locked, or a temporary one. */
export const openServerFolder = async (stateDir: string | undefined): Promise<ServerFolder> => {
  if (stateDir === undefined) {
    await removeAbandoned(tmpdir(), SCRATCH)
    const path = await inTempFolder((parent) => makeScratchFolder(parent, SCRATCH))
    return { path, release: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
  }
  try {
    await makeFolder(stateDir, 0o700)
    const reason = await distrustOf(stateDir)
    if (reason !== undefined) throw fail('VID_PRODUCER_STATE_UNUSABLE', { folder: stateDir, reason })
    const lock = await lockFile(join(stateDir, 'lock'))
    if (lock.release) return { path: stateDir, release: lock.release }
    throw fail('VID_PRODUCER_STATE_LOCKED', { folder: stateDir, holder: lock.holder })
  } catch (cause) {
    if (isVidError(cause)) throw cause
    const facts = { folder: stateDir, reason: describeCause(cause) }
    throw fail('VID_PRODUCER_STATE_UNUSABLE', facts, { cause })
  }
}
