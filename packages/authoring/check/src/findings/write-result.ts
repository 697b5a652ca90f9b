import { stat, writeFile } from 'node:fs/promises'
import { outputUnwritable } from '@vid/kernel'
import { writeWhole } from '@vid/system'

/** Writes a file as a whole or not at all; a device or a pipe is written to as it is. */
export const writeResult = async (path: string, text: string, signal: AbortSignal): Promise<void> => {
  try {
    const place = await stat(path).catch(() => undefined)
    if (place && !place.isFile()) await writeFile(path, text, { signal })
    else await writeWhole(path, (partial) => writeFile(partial, text, { flag: 'wx', signal }))
  } catch (cause) {
    signal.throwIfAborted()
    throw outputUnwritable(path, cause)
  }
}
