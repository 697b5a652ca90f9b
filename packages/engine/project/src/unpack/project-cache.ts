import { randomUUID } from 'node:crypto'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, untilAborted } from '@vid/system'
import { manifestBytes, type ProjectManifest } from '../manifest.ts'
import {
  createHolding,
  entryOf,
  type HeldProject,
  keyDigest,
  type ProjectCacheOptions,
  type ProjectEntry,
  readProjectEntries,
  remove,
} from './project-entries.ts'
import { unpackProject } from './unpacking.ts'

/** Where the zip of a project comes from that was within the limits when it was packed. */
export interface ZipOrigin {
  /** Writes the zip to a new file; false when there is none. */
  fetch(path: string, signal: AbortSignal): Promise<boolean>
  /** The error for a zip that is missing, or has other files than the digest says. */
  lost(problem: string): Error
}

const unlimited = {
  entries: Number.MAX_SAFE_INTEGER,
  fileBytes: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
  ratio: Number.MAX_SAFE_INTEGER,
}

/** The project once its files are there; released when that fails. */
const whenReady = async (project: HeldProject, { ready }: ProjectEntry, signal: AbortSignal): Promise<HeldProject> => {
  try {
    await untilAborted(ready, signal)
    return project
  } catch (thrown) {
    project.release()
    throw thrown
  }
}

/** Unpacks a project into its folder; gives its bytes. */
const load = async (
  key: string,
  { fetch, lost: lostError }: ZipOrigin,
  folders: { readonly incoming: string; readonly target: string },
  signal: AbortSignal,
): Promise<number> => {
  const work = join(folders.incoming, randomUUID())
  try {
    await mkdir(work, { mode: 0o700 })
    const zip = join(work, 'project.zip')
    if (!(await fetch(zip, signal))) throw lostError('no longer exists')
    const project = join(work, 'project')
    const manifest = await unpackProject(zip, project, { limits: unlimited, signal })
    if (manifest.digest !== keyDigest(key))
      throw lostError(`holds the project ${manifest.digest}, not the one that was sent`)
    await rename(project, folders.target)
    return manifestBytes(manifest)
  } finally {
    await remove(work)
  }
}

/** Opens a cache of unpacked projects, whose keys end with their digests. */
export const openProjectCache = async (options: ProjectCacheOptions) => {
  const incoming = join(options.folder, 'incoming')
  await remove(incoming)
  await makeFolder(incoming, 0o700)
  const entries = await readProjectEntries(options.folder)
  const { take, removeIdle, removing } = createHolding(entries, incoming, options)
  const closing = new AbortController()
  /** Puts a project into its folder; who asks for it meanwhile waits for the same work. */
  const make = (key: string, bytes: number, signal: AbortSignal, work: (target: string) => Promise<number>) => {
    const entry = entryOf(join(options.folder, key), bytes)
    const project = take(key, entry)
    entries.set(key, entry)
    entry.ready = work(entry.folder).then((bytes) => {
      entry.bytes = bytes
      entry.isReady = true
    })
    entry.ready.catch(() => entries.get(key) === entry && entries.delete(key))
    return whenReady(project, entry, signal)
  }
  /** A project whose files are there, or are just being put there; undefined for any other. */
  const find = async (key: string): Promise<HeldProject | undefined> => {
    const entry = entries.get(key)
    return entry && whenReady(take(key, entry), entry, closing.signal).catch(() => undefined)
  }
  return {
    /** Folder on the same file system, for what is being received; emptied when the cache is opened. */
    incoming,
    has: (key: string) => entries.has(key),
    find,
    /** A project, unpacked from its zip unless it is there already. */
    async hold(key: string, source: ZipOrigin, signal: AbortSignal): Promise<HeldProject> {
      const entry = entries.get(key)
      if (entry) return whenReady(take(key, entry), entry, signal)
      return make(key, 0, signal, (target) => load(key, source, { incoming, target }, closing.signal))
    },
    /** Takes a folder below `incoming` that was just unpacked; leaves it there if the cache has the project already. */
    async add(key: string, project: string, manifest: ProjectManifest): Promise<HeldProject> {
      while (entries.has(key)) {
        closing.signal.throwIfAborted()
        const present = await find(key)
        if (present) return present
      }
      const bytes = manifestBytes(manifest)
      return make(key, bytes, closing.signal, async (target) => {
        await rename(project, target)
        return bytes
      })
    },
    /** Removes what is over the limits. */
    async trim(): Promise<void> {
      removeIdle()
      await Promise.all(removing)
    },
    /** Stops unpacking; the projects stay. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.allSettled([...[...entries.values()].map(({ ready }) => ready), ...removing])
    },
  }
}

/** Unpacked projects of this process. */
export type ProjectCache = Awaited<ReturnType<typeof openProjectCache>>
