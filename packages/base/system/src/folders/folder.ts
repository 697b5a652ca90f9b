import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const isFolder = (path: string) =>
  stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  )

/**
 * Creates a folder and its parents, each with `mode`; rejects with the system's error. Node's own recursive mkdir
 * loops forever where the system reports a missing folder although its parent exists, as below `/proc`.
 */
export const makeFolder = async (path: string, mode = 0o777): Promise<void> => {
  const make = () =>
    mkdir(path, { mode }).catch(async (cause) => {
      // An existing folder can also fail with other errors, such as on a read-only disk.
      if (!(await isFolder(path))) throw cause
    })
  try {
    await make()
  } catch (cause) {
    const above = dirname(path)
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw cause
    await makeFolder(above, mode)
    // Tried only once more: a second failure does not come from a missing parent.
    await make()
  }
}
