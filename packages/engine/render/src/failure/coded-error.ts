import { abortFailure } from '@vid/kernel'
import { defineErrors, describeCause, isSystemFault, isVidError, kernelErrors, type VidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import { isFileShortage, openFileLimit } from '../open-files.ts'

const failKernel = defineErrors(kernelErrors)

/**
 * The coded error for anything that was thrown. An abort whose reason has a VidError as its cause failed with that; any other
 * abort is a cancellation. `limit` is the limit on open files, which cannot be read once it is reached.
 */
export const codedError = (
  thrown: unknown,
  signal?: AbortSignal,
  limit: number | undefined = openFileLimit(),
): VidError => {
  const failure = abortFailure(signal)
  // Of two errors for one thing that was thrown, the one of the render says more.
  if (failure) return isVidError(thrown) && thrown.cause === failure.cause ? thrown : failure
  if (signal?.aborted && thrown === signal.reason) return failKernel('VID_CANCELLED', {}, { cause: thrown })
  if (isFileShortage(thrown, limit))
    return fail('VID_OPEN_FILES', { limit, reason: describeCause(thrown) }, { cause: thrown })
  if (isVidError(thrown)) return thrown
  const facts = { reason: describeCause(thrown) }
  if (isSystemFault(thrown))
    return failKernel('VID_MACHINE_LACKS', { doing: 'reading or writing a file', ...facts }, { cause: thrown })
  return fail('VID_UNEXPECTED', facts, { cause: thrown })
}
