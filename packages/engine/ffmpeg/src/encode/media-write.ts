import { rename, rm } from 'node:fs/promises'
import { describeCause } from '@vid/protocol'
import { fail } from '../errors.ts'

/**
 * Runs `write` with a temporary path and renames the file or folder that it wrote to `path`. On failure nothing is
 * left; an error of the file system becomes VID_MEDIA_WRITE.
 */
export const writeMedia = async (
  path: string,
  signal: AbortSignal,
  write: (partial: string) => Promise<void>,
): Promise<void> => {
  const partial = `${path}.partial`
  try {
    await write(partial)
    signal.throwIfAborted()
    await rename(partial, path)
  } catch (cause) {
    await rm(partial, { recursive: true, force: true })
    signal.throwIfAborted()
    const isSystemError = cause instanceof Error && 'syscall' in cause
    if (!isSystemError) throw cause
    throw fail('VID_MEDIA_WRITE', { file: path, reason: describeCause(cause) }, { cause })
  }
}
