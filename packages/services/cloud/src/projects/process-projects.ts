import { rm } from 'node:fs/promises'
import { type HeldProject, openProjectCache, type ProjectManifest } from '@vid/project'
import { makeFolder, makeScratchFolder, removeAbandoned } from '@vid/system'
import { fail } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'

/** The unpacked projects of this process, for its API and its worker. */
export interface ProcessProjects {
  /** Folder on the same file system for incoming files; removed with the cache. */
  readonly incoming: string
  /**
   * Returns the project with a digest, unpacked from its zip in the storage if it is not cached. Fails with
   * VID_CLOUD_PROJECT_LOST if the storage does not have the zip.
   */
  hold(key: string, digest: string, signal: AbortSignal): Promise<HeldProject>
  /** Adds a newly unpacked folder below `incoming`. */
  add(folder: string, manifest: ProjectManifest): Promise<HeldProject>
  /** Removes the cache. */
  close(): Promise<void>
}

const PREFIX = '.vid-projects-'

/** Opens an empty cache below a folder; removes what ended processes left there. */
export const openProcessProjects = async (options: {
  readonly parent: string
  readonly storage: Pick<Storage, 'get'>
  /** Limit on the size of projects that are not in use, in bytes. */
  readonly maxBytes: number
}): Promise<ProcessProjects> => {
  const { storage, parent, maxBytes } = options
  await makeFolder(parent, 0o700)
  await removeAbandoned(parent, PREFIX)
  const folder = await makeScratchFolder(parent, PREFIX)
  const cache = await openProjectCache({ folder, maxBytes, trimsOnRelease: true })
  return {
    incoming: cache.incoming,
    hold(key, digest, signal) {
      const source = {
        fetch: (path: string, closing: AbortSignal) => storage.get(key, path, { signal: closing }),
        lost: (problem: string) => fail('VID_CLOUD_PROJECT_LOST', { key, problem }),
      }
      return cache.hold(digest, source, signal)
    },
    add: (project, manifest) => cache.add(manifest.digest, project, manifest),
    async close() {
      await cache.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
