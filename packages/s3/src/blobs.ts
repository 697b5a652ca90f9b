import type { S3Client } from '@aws-sdk/client-s3'
import { type BlobStore, describeCause, isVidError, type StoredBlob, type Warning } from '@vid/kernel'
import type { S3Bucket } from './bucket.ts'
import { downloadObject, type FoundObject, readObject } from './download.ts'
import { fail, type S3Action, s3Actions } from './errors.ts'
import { findObject, listObjects, putObject, refreshObject, removeObjects } from './objects.ts'
import { runPool } from './pool.ts'
import { uploadFile } from './upload.ts'
import { s3Warning } from './warnings.ts'

/** Names that do not begin with a dot, as of any store. */
const KEY = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/

/** First names of the keys that segments are kept under: all that cleaning removes. */
const FOLDERS = ['contents/', 'segments/']

/** Blobs in a list: more would cost more to list than they are worth. */
const MAX_LISTED = 2000
/** A larger text was written by nobody who keeps segments. */
const MAX_TEXT_BYTES = 64 * 2 ** 20
/** A blob is refreshed at most once in this time, so that a retention of days counts from its last use. */
const REFRESH_MS = 24 * 3600 * 1000
const REFRESHED_AT_ONCE = 8
const TYPE = { type: 'application/octet-stream' }

/** Where blobs are kept. */
export interface BlobPlace {
  readonly client: S3Client
  readonly bucket: string
  /** What every key begins with; ends with a slash. */
  readonly prefix: string
  readonly signal: AbortSignal
}

/** How blobs are kept. */
export interface BlobOptions {
  /** Milliseconds that one blob may take, with all its attempts; default 60,000. */
  readonly blobMs?: number | undefined
  /** Told once when used blobs cannot be marked as used. */
  readonly warn?: ((warning: Warning) => void) | undefined
}

/** Limits the time of each piece of work: a store that is slower than a render is of no use to it. */
const createLimited =
  ({ client, bucket, prefix, signal }: BlobPlace, limitMs: number) =>
  async <T>(action: S3Action, key: string, work: (place: S3Bucket) => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    const late = AbortSignal.timeout(limitMs)
    try {
      return await work({ client, bucket, signal: AbortSignal.any([signal, late]) })
    } catch (thrown) {
      signal.throwIfAborted()
      if (!late.aborted) throw thrown
      const reason = `it took longer than ${limitMs / 1000} s`
      throw fail(
        'VID_S3_FAILED',
        { done: s3Actions[action].done, bucket, key: `${prefix}${key}`, reason },
        { cause: thrown },
      )
    }
  }

/**
 * Blobs as objects of a bucket, as a store keeps them. What they take is limited by their age, by a lifecycle rule of the
 * bucket: a blob that is used is refreshed when it is older than a day. The client stays open when the store is closed.
 */
export const s3Blobs = (place: BlobPlace, { blobMs = 60_000, warn }: BlobOptions = {}): BlobStore => {
  const { prefix, bucket, signal } = place
  const run = createLimited(place, blobMs)
  /** When blobs were written, as far as this process has seen them. */
  const writtenMsOf = new Map<string, number>()
  let isWarned = false
  const objectKey = (key: string): string => {
    if (!KEY.test(key)) throw fail('VID_S3_BLOB', { key })
    return `${prefix}${key}`
  }
  const noting = (key: string) => (object: FoundObject) => void writtenMsOf.set(key, object.writtenMs)
  const refresh = (key: string) =>
    run('write', key, async (within) => {
      const usedMs = writtenMsOf.get(key) ?? (await findObject(within, objectKey(key)))?.writtenMs
      if (usedMs === undefined) return
      writtenMsOf.set(key, usedMs)
      if (Date.now() - usedMs < REFRESH_MS) return
      await refreshObject(within, objectKey(key))
      writtenMsOf.set(key, Date.now())
    })
  return {
    get: async (key, path) => run('read', key, (within) => downloadObject(within, objectKey(key), path, noting(key))),
    async put(key, path) {
      await run('write', key, (within) => uploadFile(within, objectKey(key), path, { ...TYPE, warn }))
      writtenMsOf.set(key, Date.now())
    },
    read: async (key) =>
      run('read', key, async (within) => {
        try {
          return (await readObject(within, objectKey(key), MAX_TEXT_BYTES, noting(key)))?.toString()
        } catch (thrown) {
          // Nobody keeps such a text: as if it were not there.
          if (isVidError(thrown) && thrown.code === 'VID_S3_SIZE') return undefined
          throw thrown
        }
      }),
    async write(key, text) {
      await run('write', key, (within) => putObject(within, objectKey(key), text, TYPE))
      writtenMsOf.set(key, Date.now())
    },
    async touch(keys) {
      try {
        await runPool(keys, REFRESHED_AT_ONCE, signal, refresh)
      } catch (thrown) {
        // What is used is there all the same, and only its retention ends earlier.
        signal.throwIfAborted()
        const address = `s3://${bucket}/${prefix}`
        if (!isWarned) warn?.(s3Warning('VID_S3_NOT_REFRESHED', { address, reason: describeCause(thrown) }))
        isWarned = true
      }
    },
    list: async (start) =>
      run('list', start, async (within) => {
        const blobs: StoredBlob[] = []
        for await (const { key, bytes, writtenMs } of listObjects(within, `${prefix}${start}`)) {
          const name = key.slice(prefix.length)
          if (KEY.test(name)) blobs.push({ key: name, bytes, usedMs: writtenMs })
          if (blobs.length === MAX_LISTED) break
        }
        for (const { key, usedMs } of blobs) writtenMsOf.set(key, usedMs)
        return blobs.sort((a, b) => b.usedMs - a.usedMs)
      }),
    remove: (key) => run('remove', key, (within) => removeObjects(within, [objectKey(key)])),
    close: async () => {},
  }
}

/** Removes all blobs below a prefix that segments are kept under; resolves to their bytes. */
export const clearBlobs = async ({ prefix, ...place }: BlobPlace): Promise<number> => {
  let freed = 0
  for (const folder of FOLDERS) {
    for (let page: string[] = [], isMore = true; isMore; page = []) {
      isMore = false
      for await (const { key, bytes } of listObjects(place, `${prefix}${folder}`)) {
        page.push(key)
        freed += bytes
        isMore = page.length === MAX_LISTED
        if (isMore) break
      }
      await removeObjects(place, page)
    }
  }
  return freed
}
