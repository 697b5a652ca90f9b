import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type HeldProject, openProjectCache, type ProjectManifest, readManifest } from '@vid/project'
import { describeCause, isSystemFault } from '@vid/protocol'
import { createUploadSpace } from '@vid/server'
import { makeFolder } from '@vid/system'
import { fail, uploadsFull } from '../errors.ts'
import type { ProducerSettings } from '../options.ts'
import { createUnpacking } from './unpacking.ts'

/** Stores uploaded projects, once per owner, while they are in use and for some time after. */
export interface Projects {
  /** Unpacks a zip; fails if `expected` is set and does not match the digest of its files. */
  receiveZip(
    owner: string,
    zip: Readable,
    options: { readonly signal: AbortSignal; readonly expected?: string },
  ): Promise<HeldProject & { readonly manifest: ProjectManifest }>
  /** Creates a project from one file. */
  receiveHtml(owner: string, entry: string, html: string, signal: AbortSignal): Promise<HeldProject>
  /** A project that the owner uploaded before; undefined if it is no longer stored. */
  hold(owner: string, digest: string): Promise<HeldProject | undefined>
  /** Whether the files of a project still match its digest. */
  isWhole(project: HeldProject, signal: AbortSignal): Promise<boolean>
  /** Removes expired projects, and those beyond the size limit. */
  tidy(): Promise<void>
}

/** Runs work with a new folder in `incoming`, which is removed afterwards. */
const withNewFolder = async <T>(incoming: string, work: (path: string) => Promise<T>): Promise<T> => {
  const path = join(incoming, randomUUID())
  try {
    await mkdir(path, { mode: 0o700 })
    return await work(path)
  } catch (thrown) {
    if (!isSystemFault(thrown)) throw thrown
    const facts = { folder: dirname(incoming), reason: describeCause(thrown) }
    throw fail('VID_PRODUCER_STATE_UNUSABLE', facts, { cause: thrown })
  } finally {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Opens the folder of projects, which may contain those of an earlier process. */
export const openProjects = async (
  folder: string,
  settings: Pick<
    ProducerSettings,
    'projectTtlMs' | 'projectBytes' | 'heldProjectBytes' | 'unpackedBytes' | 'unpackedFiles'
  >,
): Promise<Projects> => {
  const room = createUploadSpace(settings.heldProjectBytes, uploadsFull)
  const unpack = createUnpacking(room, settings)
  const cache = await openProjectCache({
    folder,
    maxBytes: settings.projectBytes,
    maxIdleMs: settings.projectTtlMs,
    room,
  })
  const { incoming } = cache
  const keyOf = (owner: string, digest: string) => `${owner || 'anyone'}-${digest}`
  return {
    receiveZip: (owner, zip, { signal, expected }) =>
      withNewFolder(incoming, async (path) => {
        const file = join(path, 'project.zip')
        const meter = room.meter()
        try {
          await pipeline(zip, meter.stream, createWriteStream(file, { flags: 'wx', mode: 0o600 }), {
            signal,
          })
          const project = join(path, 'project')
          const manifest = await unpack(file, project, signal)
          const { digest } = manifest
          if (expected !== undefined && expected !== digest)
            throw fail('VID_PRODUCER_PROJECT_DIGEST', { expected, found: digest })
          return { ...(await cache.add(keyOf(owner, digest), project, manifest)), manifest }
        } finally {
          meter.release()
        }
      }),
    receiveHtml: (owner, entry, html, signal) =>
      withNewFolder(incoming, async (path) => {
        const project = join(path, 'project')
        await makeFolder(dirname(join(project, entry)), 0o700)
        await writeFile(join(project, entry), html, { flag: 'wx', mode: 0o600 })
        const manifest = await readManifest(project, { signal })
        return cache.add(keyOf(owner, manifest.digest), project, manifest)
      }),
    hold: (owner, digest) => cache.find(keyOf(owner, digest)),
    isWhole: async (project, signal) => (await readManifest(project.folder, { signal })).digest === project.digest,
    tidy: cache.trim,
  }
}
