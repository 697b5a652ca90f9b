import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Blobs, StoredBlob } from '@vid/kernel'
import { createRecentMap, describeCause, isVidError, type Warning } from '@vid/protocol'
import { isBlobKey, runPool } from '@vid/system'
import type { S3Bucket } from './bucket.ts'
import { downloadObject, type FoundObject, openObject, readObject } from './download.ts'
import { fail, type S3Action, s3Actions } from './errors.ts'
import { findObject, listObjects, putObject, refreshObject, removeObjects } from './objects.ts'
import { uploadFile } from './upload.ts'
import { s3Warning } from './warnings.ts'

/** First parts of the keys of renders; cleaning removes only these. */
const FOLDERS = ['contents/', 'segments/', 'workers/']

/** Blobs that cleaning removes at a time. */
const PAGE = 2000
/** Largest text in bytes; no writer of segments stores a larger one. */
const MAX_TEXT_BYTES = 64 * 2 ** 20
/**
 * Minimum time between two refreshes of a blob, in milliseconds, so that a retention in days counts from its last use.
 */
const REFRESH_MS = 24 * 3600 * 1000
/** Number of write times remembered per location; they only save requests. */
const MAX_REMEMBERED = 10_000
const REFRESHED_AT_ONCE = 8
const TYPE = 'application/octet-stream'

/** The location of blobs. */
export interface BlobPlace {
  readonly client: S3Client
  readonly bucket: string
  /** Prefix of every key; ends with a slash. */
  readonly prefix: string
  readonly signal?: AbortSignal
}

/** Options of blobs in a bucket. */
export interface BlobOptions {
  /** Timeout for one blob with all its attempts, in milliseconds; none if left out. */
  readonly blobMs?: number | undefined
  /** Called once if used blobs cannot be marked as used. */
  readonly warn?: ((warning: Warning) => void) | undefined
  /** Creates the error for a failed request; by default this package's coded error. */
  failed?(action: S3Action, key: string, thrown: unknown): Error
}

/** Blobs stored as objects in a bucket. */
export interface S3Blobs extends Blobs {
  /** Opens a stream of a blob's bytes, which the caller must read or destroy; undefined if it does not exist. */
  open(key: string): Promise<Readable | undefined>
  /** The size of a blob; undefined if it does not exist. */
  size(key: string): Promise<number | undefined>
}

/** Limits the time of each operation, because a store that is slower than rendering is useless to a render. */
const createWork = (place: BlobPlace, { blobMs, failed = (_action, _key, thrown) => thrown as Error }: BlobOptions) => {
  const { client, bucket, prefix, signal: outer } = place
  const begin = (action: S3Action, key: string, of: AbortSignal | undefined = outer) => {
    of?.throwIfAborted()
    const late = blobMs === undefined ? undefined : AbortSignal.timeout(blobMs)
    const signals = [of, late].filter((signal) => signal !== undefined)
    const signal = signals.length > 0 ? AbortSignal.any(signals) : undefined
    const errorOf = (thrown: unknown): unknown => {
      if (of?.aborted) return of.reason
      if (!late?.aborted) return failed(action, key, thrown)
      const reason = `it took longer than ${(blobMs ?? 0) / 1000} s`
      const facts = { done: s3Actions[action].done, bucket, key: `${prefix}${key}`, reason }
      return fail('VID_S3_FAILED', facts, { cause: thrown })
    }
    return { place: { client, bucket, signal }, errorOf }
  }
  const run = async <T>(
    action: S3Action,
    key: string,
    work: (place: S3Bucket) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    const limited = begin(action, key, signal)
    try {
      return await work(limited.place)
    } catch (thrown) {
      throw limited.errorOf(thrown)
    }
  }
  return { begin, run }
}

const objectKeyOf = (prefix: string, key: string): string => {
  if (!isBlobKey(key)) throw fail('VID_S3_BLOB', { key })
  return `${prefix}${key}`
}

const notRefreshed = ({ bucket, prefix }: BlobPlace, thrown: unknown): Warning =>
  s3Warning('VID_S3_NOT_REFRESHED', { address: `s3://${bucket}/${prefix}`, reason: describeCause(thrown) })

const readText = async (place: S3Bucket, key: string, onFound: (object: FoundObject) => void) => {
  try {
    return (await readObject(place, key, MAX_TEXT_BYTES, onFound))?.toString()
  } catch (thrown) {
    // Not written by vid, so treated as missing.
    if (isVidError(thrown) && thrown.code === 'VID_S3_SIZE') return undefined
    throw thrown
  }
}

/**
 * Stores blobs as objects in a bucket. A lifecycle rule of the bucket removes old ones; a used blob is therefore
 * refreshed if it is older than a day. The client stays open.
 */
export const s3Blobs = (place: BlobPlace, options: BlobOptions = {}): S3Blobs => {
  const { prefix, signal: outer = new AbortController().signal } = place
  const { warn } = options
  const { begin, run } = createWork(place, options)
  /** Write times of blobs, as far as this process has seen them. */
  const writtenMsOf = createRecentMap<string, number>(MAX_REMEMBERED)
  let isWarned = false
  const objectKey = (key: string): string => objectKeyOf(prefix, key)
  const remember = (key: string, writtenMs: number) => writtenMsOf.set(key, writtenMs)
  const noting = (key: string) => (object: FoundObject) => remember(key, object.writtenMs)
  const find = (key: string) => run('read', key, (within) => findObject(within, objectKey(key)))
  const refresh = (key: string) =>
    run('write', key, async (within) => {
      const usedMs = writtenMsOf.get(key) ?? (await findObject(within, objectKey(key)))?.writtenMs
      if (usedMs === undefined) return
      remember(key, usedMs)
      if (Date.now() - usedMs < REFRESH_MS) return
      await refreshObject(within, objectKey(key))
      remember(key, Date.now())
    })
  return {
    get: async (key, path, { signal } = {}) =>
      run('read', key, (within) => downloadObject(within, objectKey(key), path, noting(key)), signal),
    async put(key, path, { type = TYPE, signal } = {}) {
      await run('write', key, (within) => uploadFile(within, objectKey(key), path, { type, warn }), signal)
      remember(key, Date.now())
    },
    read: async (key) => run('read', key, (within) => readText(within, objectKey(key), noting(key))),
    open: async (key) => run('read', key, (within) => openObject(within, objectKey(key))),
    size: async (key) => (await find(key))?.bytes,
    async write(key, text) {
      await run('write', key, (within) => putObject(within, objectKey(key), text, { type: TYPE }))
      remember(key, Date.now())
    },
    async touch(keys) {
      try {
        await runPool(keys, REFRESHED_AT_ONCE, outer, refresh)
      } catch (thrown) {
        // The blobs exist anyway; only their retention ends earlier.
        outer.throwIfAborted()
        if (!isWarned) warn?.(notRefreshed(place, thrown))
        isWarned = true
      }
    },
    async *list(start): AsyncGenerator<StoredBlob> {
      const limited = begin('list', start)
      try {
        for await (const { key: name, bytes, writtenMs } of listObjects(limited.place, `${prefix}${start}`)) {
          const key = name.slice(prefix.length)
          if (!isBlobKey(key)) continue
          remember(key, writtenMs)
          yield { key, bytes, usedMs: writtenMs }
        }
      } catch (thrown) {
        throw limited.errorOf(thrown)
      }
    },
    remove: async (keys) => run('remove', keys.join(', '), (within) => removeObjects(within, keys.map(objectKey))),
  }
}

/** Removes all stored segments below a prefix; resolves to the number of bytes removed. */
export const clearBlobs = async ({ prefix, ...place }: BlobPlace): Promise<number> => {
  let freed = 0
  for (const folder of FOLDERS) {
    for (let page: string[] = [], isMore = true; isMore; page = []) {
      isMore = false
      for await (const { key, bytes } of listObjects(place, `${prefix}${folder}`)) {
        page.push(key)
        freed += bytes
        isMore = page.length === PAGE
        if (isMore) break
      }
      await removeObjects(place, page)
    }
  }
  return freed
}
