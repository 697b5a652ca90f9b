import { randomUUID } from 'node:crypto'
import { cp, lstat, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { foreignEntry, makeFolder } from '@vid/kernel'

const flush = async (file: string) => {
  const handle = await open(file, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Copies a result beside its destination and renames it into place, so that no reader sees an incomplete result. */
export const placeArtifact = async (from: string, to: string, signal: AbortSignal): Promise<void> => {
  const folder = dirname(to)
  await makeFolder(folder)
  const beside = (role: string) => join(folder, `.${basename(to)}.${randomUUID()}.${role}`)
  const fresh = beside('new')
  const old = beside('old')
  try {
    await cp(from, fresh, { recursive: true, errorOnExist: true, force: false })
    signal.throwIfAborted()
    const source = await lstat(fresh)
    const target = await lstat(to).catch(() => undefined)
    if (source.isFile()) await flush(fresh)
    // A rename would put a file in the place of a device or a pipe that others use.
    const place = await stat(to).catch(() => undefined)
    if (place && !place.isFile() && !place.isDirectory()) throw new Error('it is a device or a pipe')
    // A folder cannot be renamed over another; a file can, in one step.
    if (target?.isDirectory()) {
      if (source.isFile()) throw new Error('it is a folder')
      const foreign = await foreignEntry(to)
      if (foreign !== undefined)
        throw new Error(`it is a folder that holds ${foreign}, which is not from a render`)
      await rename(to, old)
      await rename(fresh, to).catch(async (thrown: unknown) => {
        await rename(old, to)
        throw thrown
      })
    } else await rename(fresh, to)
  } finally {
    await Promise.all([fresh, old].map((path) => rm(path, { recursive: true, force: true })))
  }
}
