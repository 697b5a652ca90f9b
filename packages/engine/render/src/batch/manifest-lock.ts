import { describeCause } from '@vid/protocol'
import { lockFile } from '@vid/system'
import { fail } from '../errors.ts'

/** Locks a manifest for this process until the returned function is called; the lock of a killed batch is free. */
export const lockManifest = async (manifestPath: string): Promise<() => Promise<void>> => {
  const lock = await lockFile(`${manifestPath}.lock`).catch((cause) => {
    throw fail('VID_MANIFEST_UNWRITABLE', { path: manifestPath, reason: describeCause(cause) }, { cause })
  })
  if (lock.release) return lock.release
  throw fail('VID_BATCH_RUNNING', { manifestPath, holder: lock.holder })
}
