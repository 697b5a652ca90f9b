import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { manifestBytes, unpackProject, writeProjectZip } from '@vid/project'
import { isVidError } from '@vid/protocol'
import { createUploadSpace } from '@vid/server'
import { createSemaphore } from '@vid/system'
import type { Database } from '../database/database.ts'
import { fail } from '../errors.ts'
import type { CloudSettings } from '../options.ts'
import type { Storage } from '../storage/storage.ts'
import { type Asset, keepAsset } from './assets.ts'
import type { ProcessProjects } from './process-projects.ts'

/** Zips unpacked at the same time; others wait. */
const UNPACKED_AT_ONCE = 2

/** Seconds after which a client may retry: slow uploads are cut off by then. */
const RETRY_SECONDS = 30

const spaceFull = () => fail('VID_CLOUD_SPACE_FULL', { retryAfterSeconds: RETRY_SECONDS })

/** An incoming zip. */
export interface IncomingZip {
  readonly accountId: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** Largest accepted size of the zip. */
  readonly maxBytes: number
  readonly sourceUrl?: string
  /** SHA-256 (hex) that the sender announced for the zip, if any. */
  readonly expected?: { readonly sha256: string; readonly field: string }
  readonly signal: AbortSignal
}

/** The result of receiving a zip. */
export interface ReceivedZip {
  readonly asset: Asset
  /** SHA-256 (hex) of the zip as received. */
  readonly sha256: string
}

/** Receives untrusted zips: each is checked, unpacked, repacked and stored once per account. */
export interface Intake {
  receive(zip: IncomingZip): Promise<ReceivedZip>
  /** Writes a stream to a temporary file, which is removed after `work`; refuses more than `maxBytes`. */
  withFile<T>(
    bytes: AsyncIterable<Uint8Array>,
    maxBytes: number,
    signal: AbortSignal,
    work: (file: string, facts: { readonly bytes: number; readonly sha256: string }) => Promise<T>,
  ): Promise<T>
}

/** Counts and hashes a stream, and refuses more than a limit. */
const measured = (maxBytes: number) => {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) return done(fail('VID_CLOUD_PROJECT_BYTES', { limit: maxBytes }))
      hash.update(chunk)
      return done(null, chunk)
    },
  })
  return { stream, facts: () => ({ bytes, sha256: hash.digest('hex') }) }
}

/** Creates the intake of this process, which limits disk space and concurrency. */
export const createIntake = (parts: {
  readonly database: Database
  readonly storage: Storage
  readonly cache: ProcessProjects
  readonly settings: Pick<CloudSettings, 'heldUploadBytes' | 'unpackedBytes' | 'unpackedFiles'>
}): Intake => {
  const { database, storage, cache, settings } = parts
  const space = createUploadSpace(settings.heldUploadBytes, spaceFull)
  const unpackSlots = createSemaphore(UNPACKED_AT_ONCE)

  const withFile: Intake['withFile'] = async (bytes, maxBytes, signal, work) => {
    const folder = join(cache.incoming, randomUUID())
    const meter = space.meter()
    try {
      await mkdir(folder, { mode: 0o700 })
      const file = join(folder, 'file')
      const measure = measured(maxBytes)
      const target = createWriteStream(file, { flags: 'wx', mode: 0o600 })
      await pipeline(bytes, measure.stream, meter.stream, target, { signal })
      return await work(file, measure.facts())
    } finally {
      meter.release()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    }
  }

  const unpack = async (zip: string, folder: string, signal: AbortSignal) => {
    const limits = {
      bytes: Math.min(settings.unpackedBytes, space.left()),
      entries: settings.unpackedFiles,
    }
    return unpackProject(zip, folder, { limits, signal }).catch((thrown: unknown) => {
      const isForLackOfSpace =
        isVidError(thrown) && thrown.code === 'VID_ZIP_BYTES' && limits.bytes < settings.unpackedBytes
      throw isForLackOfSpace ? space.full() : thrown
    })
  }

  /** Stores the zip of an unpacked project for an account. */
  const keep = async (zip: string, folder: string, { accountId, sourceUrl, signal }: IncomingZip) => {
    const projectDir = join(folder, 'project')
    const manifest = await unpack(zip, projectDir, signal)
    if (manifest.files.length === 0)
      throw fail('VID_CLOUD_PROJECT_INVALID', { field: 'file', problems: ['the zip has no files'] })
    const packed = join(folder, 'packed.zip')
    const { bytes } = await writeProjectZip(projectDir, manifest, packed, { signal })
    const { digest, files } = manifest
    const unpackedBytes = manifestBytes(manifest)
    // The row is written first, because the sweep spares assets whose row was used recently.
    const facts = { digest, bytes, unpackedBytes, files: files.length, sourceUrl }
    const asset = await database.transaction((sql) => keepAsset(sql, accountId, facts))
    if ((await storage.size(asset.storageKey)) !== bytes)
      await storage.put(asset.storageKey, packed, { type: 'application/zip', signal })
    const project = await cache.add(projectDir, manifest)
    project.release()
    return asset
  }

  return {
    withFile,
    receive: (zip) =>
      withFile(zip.bytes, zip.maxBytes, zip.signal, async (file, { sha256 }) => {
        const { expected, signal } = zip
        if (expected && expected.sha256 !== sha256) {
          const problem = `is ${expected.sha256}, and that of the bytes that arrived is ${sha256}`
          throw fail('VID_CLOUD_PARAMETER', { field: expected.field, problem })
        }
        const folder = join(cache.incoming, randomUUID())
        try {
          await mkdir(folder, { mode: 0o700 })
          return { asset: await unpackSlots.run(() => keep(file, folder, zip), signal), sha256 }
        } finally {
          await rm(folder, { recursive: true, force: true, maxRetries: 3 })
        }
      }),
  }
}
