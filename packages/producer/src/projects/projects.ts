import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describeCause, isSystemFault } from '@vid/kernel'
import { type Manifest, readManifest } from '@vid/project'
import { makeFolder } from '@vid/system'
import { fail } from '../errors.ts'
import type { ProducerSettings } from '../options.ts'
import { createRoom } from './room.ts'
import { createUnpacking } from './unpacking.ts'

/** A project that somebody has sent, held until it is released. */
export interface HeldProject {
  /** SHA-256 of its manifest. */
  readonly digest: string
  /** Absolute; nothing writes into it. */
  readonly folder: string
  /** Lets the server forget the project once nobody holds it. */
  release(): void
}

/** Keeps the projects that clients send, each once for its owner, while they are used and for a while after. */
export interface Projects {
  /** Unpacks a zip; refused when `expected` is given and the files have another digest. */
  receiveZip(
    owner: string,
    zip: Readable,
    options: { readonly signal: AbortSignal; readonly expected?: string },
  ): Promise<HeldProject & { readonly manifest: Manifest }>
  /** Makes a project of one file. */
  receiveHtml(owner: string, entry: string, html: string, signal: AbortSignal): Promise<HeldProject>
  /** A project that the owner has sent before; undefined when the server has forgotten it. */
  hold(owner: string, digest: string): Promise<HeldProject | undefined>
  /** Whether the files of a project are still those of its digest. */
  isWhole(project: HeldProject, signal: AbortSignal): Promise<boolean>
  /** Removes what was not used for a while, and what is too much. */
  tidy(): Promise<void>
}

interface Shelf {
  readonly folder: string
  readonly bytes: number
  /** Resolves once the files are there. */
  readonly ready: Promise<void>
  holders: number
  usedMs: number
}

/** Names of the folders of projects; others in the folder were not made here. */
const IS_KEY = /^[\w.-]+-[0-9a-f]{64}$/

const bytesOf = ({ files }: Manifest): number => files.reduce((sum, { length }) => sum + length, 0)

/** Runs with a new folder in `incoming`, which is removed afterwards. */
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

/** The projects that an earlier process has left; their length is not known, so they go by their age. */
const findShelves = async (folder: string): Promise<Map<string, Shelf>> => {
  const shelves = new Map<string, Shelf>()
  for (const key of (await readdir(folder)).filter((name) => IS_KEY.test(name))) {
    const path = join(folder, key)
    const { mtimeMs: usedMs } = await stat(path)
    shelves.set(key, { folder: path, bytes: 0, holders: 0, ready: Promise.resolve(), usedMs })
  }
  return shelves
}

/** Opens the folder of projects, which may hold those of an earlier process. */
export const openProjects = async (
  folder: string,
  settings: Pick<
    ProducerSettings,
    'projectTtlMs' | 'projectBytes' | 'heldProjectBytes' | 'unpackedBytes' | 'unpackedFiles'
  >,
): Promise<Projects> => {
  const room = createRoom(settings.heldProjectBytes)
  const unpack = createUnpacking(room, settings)
  const incoming = join(folder, 'incoming')
  await rm(incoming, { recursive: true, force: true })
  await makeFolder(incoming, 0o700)
  const shelves = await findShelves(folder)

  const keyOf = (owner: string, digest: string) => `${owner || 'anyone'}-${digest}`
  const take = (shelf: Shelf, digest: string): HeldProject => {
    if (shelf.holders === 0) room.take(shelf.bytes)
    shelf.holders += 1
    let isHeld = true
    return {
      digest,
      folder: shelf.folder,
      release() {
        if (!isHeld) return
        isHeld = false
        shelf.holders -= 1
        if (shelf.holders === 0) room.free(shelf.bytes)
        shelf.usedMs = Date.now()
        const now = new Date()
        utimes(shelf.folder, now, now).catch(() => {})
      },
    }
  }
  /** A project that is there, or is just being put there; undefined when it is not known. */
  const holdReady = async (key: string, digest: string): Promise<HeldProject | undefined> => {
    const shelf = shelves.get(key)
    if (!shelf) return undefined
    const held = take(shelf, digest)
    try {
      await shelf.ready
      return held
    } catch {
      // Whoever was putting it there has failed.
      held.release()
      return undefined
    }
  }
  /** Moves a new project to its place, unless it is there already. */
  const place = async (owner: string, made: string, { digest, ...manifest }: Manifest) => {
    const key = keyOf(owner, digest)
    const found = await holdReady(key, digest)
    if (found) return found
    const target = join(folder, key)
    const shelf: Shelf = {
      folder: target,
      holders: 0,
      usedMs: Date.now(),
      bytes: bytesOf({ digest, ...manifest }),
      // Moved by a later task, so that the project is known before: two of the same do not meet.
      ready: Promise.resolve().then(() => rename(made, target)),
    }
    shelf.ready.catch(() => {})
    const held = take(shelf, digest)
    shelves.set(key, shelf)
    try {
      await shelf.ready
    } catch (cause) {
      held.release()
      shelves.delete(key)
      throw cause
    }
    return held
  }
  return {
    receiveZip: (owner, zip, { signal, expected }) =>
      withNewFolder(incoming, async (path) => {
        const file = join(path, 'project.zip')
        const counted = room.counted()
        try {
          await pipeline(zip, counted.stream, createWriteStream(file, { flags: 'wx', mode: 0o600 }), {
            signal,
          })
          const made = join(path, 'project')
          const manifest = await unpack(file, made, signal)
          if (expected !== undefined && expected !== manifest.digest)
            throw fail('VID_PRODUCER_PROJECT_DIGEST', { expected, found: manifest.digest })
          return { ...(await place(owner, made, manifest)), manifest }
        } finally {
          counted.release()
        }
      }),
    receiveHtml: (owner, entry, html, signal) =>
      withNewFolder(incoming, async (path) => {
        const made = join(path, 'project')
        await makeFolder(dirname(join(made, entry)), 0o700)
        await writeFile(join(made, entry), html, { flag: 'wx', mode: 0o600 })
        return place(owner, made, await readManifest(made, { signal }))
      }),
    hold: (owner, digest) => holdReady(keyOf(owner, digest), digest),
    isWhole: async ({ folder: place, digest }, signal) => (await readManifest(place, { signal })).digest === digest,
    async tidy() {
      const idle = [...shelves].filter(([, { holders }]) => holders === 0)
      idle.sort(([, one], [, other]) => one.usedMs - other.usedMs)
      let bytes = idle.reduce((sum, [, shelf]) => sum + shelf.bytes, 0)
      const oldest = Date.now() - settings.projectTtlMs
      for (const [key, shelf] of idle) {
        if (shelf.usedMs > oldest && bytes <= settings.projectBytes) break
        bytes -= shelf.bytes
        shelves.delete(key)
        // Moved away first: the same project may be sent again while its files are removed.
        const aside = join(incoming, randomUUID())
        await rename(shelf.folder, aside)
        await rm(aside, { recursive: true, force: true, maxRetries: 3 })
      }
    },
  }
}
