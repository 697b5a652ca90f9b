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
  const make = () =>
    mkdir(path, { mode }).catch(async (cause) => {
      // A folder that is there already is refused for other reasons too, where nothing may be written.
      if (!(await isFolder(path))) throw cause
    })
  try {
    await make()
  } catch (cause) {
    const above = dirname(path)
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw cause
    await makeFolder(above, mode)
    // Once more and not again: a second refusal is the system's answer, not a folder that was missing above.
    await make()
  }
}
