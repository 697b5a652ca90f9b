import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { describeCause, failRender } from '@vid/protocol'

/** Makes something in the folder for temporary files; rejects with an error that names the folder when that fails. */
export const inTempFolder = async <T>(make: (folder: string) => Promise<T>): Promise<T> => {
  const path = resolve(tmpdir())
  try {
    return await make(path)
  } catch (cause) {
    throw failRender('VID_TEMP_FOLDER', { path, reason: describeCause(cause) }, { cause })
  }
}
