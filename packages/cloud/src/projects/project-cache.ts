import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Manifest, unpackProject } from '@vid/project'
import { makeFolder, makeScratchFolder, removeAbandoned } from '@vid/system'
import { fail } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'

/** An unpacked project, which stays until it is released; nobody may write into it. */
export interface HeldProject {
  /** Absolute. */
  readonly folder: string
  release(): void
}

/** Unpacked projects of this process, for its API and its worker. */
export interface ProjectCache {
  /** Folder on the same file system, for what is being received; removed with the cache. */
  readonly incoming: string
  /**
   * The project of a digest, unpacked from the zip under a key of the storage unless it is there already;
   * VID_CLOUD_PROJECT_LOST when the storage does not have it.
   */
  hold(key: string, digest: string, signal: AbortSignal): Promise<HeldProject>
  /** Takes a folder below `incoming` that was just unpacked; removes it where the project is there already. */
  add(folder: string, manifest: Manifest): Promise<HeldProject>
  /** Removes everything. */
  close(): Promise<void>
}

interface Shelf {
  readonly folder: string
  /** Resolves to its bytes once the files are there. */
  readonly ready: Promise<number>
  bytes: number
  holders: number
}

const PREFIX = '.vid-projects-'

/** Bytes of the files of a project. */
export const manifestBytes = ({ files }: Manifest): number => files.reduce((sum, { length }) => sum + length, 0)

// What the server itself packed was within the limits when it was received.
const unlimited = {
  entries: Number.MAX_SAFE_INTEGER,
  fileBytes: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
  ratio: Number.MAX_SAFE_INTEGER,
}

/** Waits for work that others wait for too: it goes on when one of them leaves. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })

/** Opens an empty cache below a folder; removes what ended processes have left there. */
export const openProjectCache = async (options: {
  readonly parent: string
  readonly storage: Pick<Storage, 'get'>
  /** Most bytes of projects that nobody holds. */
  readonly maxBytes: number
}): Promise<ProjectCache> => {
  const { storage, parent, maxBytes } = options
  await makeFolder(parent, 0o700)
  await removeAbandoned(parent, PREFIX)
  const folder = await makeScratchFolder(parent, PREFIX)
  const incoming = join(folder, 'incoming')
  const kept = join(folder, 'kept')
  for (const each of [incoming, kept]) await mkdir(each, { mode: 0o700 })
  const closing = new AbortController()
  // In the order of their last use.
  const shelves = new Map<string, Shelf>()

  const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 })
  const trim = () => {
    const idle = [...shelves].filter(([, { holders }]) => holders === 0)
    let bytes = idle.reduce((sum, [, shelf]) => sum + shelf.bytes, 0)
    for (const [digest, shelf] of idle) {
      if (bytes <= maxBytes) return
      bytes -= shelf.bytes
      shelves.delete(digest)
      // Each shelf has a folder of its own: the same project may come again while this one is removed.
      remove(shelf.folder).catch(() => {})
    }
  }
  const take = async (digest: string, shelf: Shelf, signal: AbortSignal): Promise<HeldProject> => {
    shelf.holders += 1
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      shelf.holders -= 1
      if (shelves.get(digest) === shelf) {
        shelves.delete(digest)
        shelves.set(digest, shelf)
      }
      trim()
    }
    try {
      await untilAborted(shelf.ready, signal)
      return { folder: shelf.folder, release }
    } catch (thrown) {
      release()
      throw thrown
    }
  }
  /** Begins to put a project there; who asks for it meanwhile waits for the same work. */
  const place = (digest: string, make: (folder: string) => Promise<number>): Shelf => {
    const target = join(kept, `${digest}-${randomUUID()}`)
    const shelf: Shelf = { folder: target, ready: make(target), bytes: 0, holders: 0 }
    shelves.set(digest, shelf)
    shelf.ready.then(
      (bytes) => {
        shelf.bytes = bytes
      },
      () => {
        if (shelves.get(digest) === shelf) shelves.delete(digest)
      },
    )
    return shelf
  }
  const load = async (key: string, digest: string, target: string): Promise<number> => {
    const work = join(incoming, randomUUID())
    const lost = (problem: string) => fail('VID_CLOUD_PROJECT_LOST', { key, problem })
    try {
      await mkdir(work, { mode: 0o700 })
      const zip = join(work, 'project.zip')
      const { signal } = closing
      if (!(await storage.get(key, zip, { signal }))) throw lost('is no longer there')
      const made = join(work, 'project')
      const manifest = await unpackProject(zip, made, { limits: unlimited, signal })
      if (manifest.digest !== digest) throw lost('has other files than those that were sent')
      await rename(made, target)
      return manifestBytes(manifest)
    } finally {
      await remove(work)
    }
  }
  return {
    incoming,
    hold: (key, digest, signal) =>
      take(digest, shelves.get(digest) ?? place(digest, (target) => load(key, digest, target)), signal),
    async add(made, manifest) {
      const { digest } = manifest
      const move = async (target: string) => {
        await rename(made, target)
        return manifestBytes(manifest)
      }
      const found = shelves.get(digest)
      if (!found) return take(digest, place(digest, move), closing.signal)
      try {
        return await take(digest, found, closing.signal)
      } catch {
        // Whoever was putting it there has failed.
        return take(digest, place(digest, move), closing.signal)
      } finally {
        await remove(made)
      }
    },
    async close() {
      closing.abort()
      await Promise.allSettled([...shelves.values()].map(({ ready }) => ready))
      await remove(folder)
    },
  }
}
