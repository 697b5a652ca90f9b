import { unpackProject } from '@vid/project'
import { isVidError } from '@vid/protocol'

/** Allows the many files of a long image sequence; the compression ratio stays limited. */
const LIMITS = { entries: 10_000_000, fileBytes: 2 ** 50, bytes: 2 ** 50 }

/**
 * Unpacks the zip of a server's result to a folder that does not exist yet; no name in it leads elsewhere. `refuse`
 * makes the error of a zip that is invalid.
 */
export const unpackResult = async (
  zip: string,
  folder: string,
  { signal, refuse }: { readonly signal: AbortSignal; refuse(reason: string, cause: Error): Error },
): Promise<void> => {
  try {
    await unpackProject(zip, folder, { limits: LIMITS, signal })
  } catch (cause) {
    // The zip is the server's, so its errors are not the caller's fault.
    if (!isVidError(cause) || !cause.code.startsWith('VID_ZIP_')) throw cause
    throw refuse(cause.message, cause)
  }
}
