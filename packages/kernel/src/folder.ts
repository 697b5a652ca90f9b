import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const isFolder = (path: string) =>
  stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  )

/**
 * Makes a folder and those above it, `mode` for each; rejects with what the system says. Node's own recursive way
 * never ends where a system refuses a folder as missing although the one above is there, as below `/proc`.
 */
export const makeFolder = async (path: string, mode = 0o777): Promise<void> => {
  try {
    await mkdir(path, { mode })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // A folder that is there already is refused for other reasons too, where nothing may be written.
    if (await isFolder(path)) return
    const above = dirname(path)
    if (code !== 'ENOENT' || above === path || (await isFolder(above))) throw cause
    await makeFolder(above, mode)
    await makeFolder(path, mode)
  }
}
