import { cp, lstat, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAbandoned, makeFolder, removeAbandoned, scratchName } from '@vid/system'
import { foreignEntry } from './artifact.ts'

/** Begins the names of what is beside an output while it is written; short, since the output's own may be as long as names get. */
const PREFIX = '.vid-'

const flush = async (file: string) => {
  const handle = await open(file, 'r')
  await handle.sync().finally(() => handle.close())
}

const OLD = '.old'

/** Ends the name of a file that says where a folder was moved away from. */
const ORIGIN = '.origin'

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Puts back the folders that deliveries which were killed had moved away, and not yet replaced. */
const putBack = async (folder: string) => {
  const names = await readdir(folder)
  for (const name of names.filter((candidate) => candidate.startsWith(PREFIX) && candidate.endsWith(OLD))) {
    const old = join(folder, name)
    const origin = await readFile(`${old.slice(0, -OLD.length)}${ORIGIN}`, 'utf8').catch(() => '')
    const to = join(folder, origin)
    if (origin === '' || basename(origin) !== origin || (await isThere(to))) continue
    // Another command may put it back at the same time.
    if (await isAbandoned(old, PREFIX)) await rename(old, to).catch(() => undefined)
  }
}

/** Copies a result beside its destination and renames it into place, so that no reader sees an incomplete result. */
export const placeArtifact = async (from: string, to: string, signal: AbortSignal): Promise<void> => {
  const folder = dirname(to)
  await makeFolder(folder)
  await putBack(folder)
  await removeAbandoned(folder, PREFIX)
  const beside = join(folder, scratchName(PREFIX))
  const fresh = `${beside}.new`
  const old = `${beside}${OLD}`
  const origin = `${beside}${ORIGIN}`
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
      if (foreign !== undefined) throw new Error(`it is a folder that holds ${foreign}, which is not from a render`)
      await writeFile(origin, basename(to))
      await rename(to, old)
      await rename(fresh, to).catch(async (thrown: unknown) => {
        await rename(old, to)
        throw thrown
      })
    } else await rename(fresh, to)
  } finally {
    await Promise.all([fresh, old, origin].map((path) => rm(path, { recursive: true, force: true })))
  }
}
