import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Blobs, defineStore, type StoredBlob, Type } from '@vid/kernel'
import type { Storage } from '../storage/storage.ts'
import { SEGMENTS } from './storage-keys.ts'

/** A blob that was written longer ago than this is written again when it is used, so that the sweep keeps it. */
const REFRESH_MS = 24 * 60 * 60 * 1000

/** Runs with the path of a file that does not exist yet, and is removed afterwards. */
const withFile = async <T>(folder: string, work: (path: string) => Promise<T>): Promise<T> => {
  const path = join(folder, `vid-blob-${randomUUID()}`)
  try {
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

const openBlobs = (storage: Storage, prefix: string, folder: string, signal: AbortSignal): Blobs => {
  const keyOf = (key: string) => `${prefix}${key}`
  const list = async (start: string): Promise<StoredBlob[]> => {
    const found: StoredBlob[] = []
    for await (const { key, bytes, writtenMs } of storage.list(keyOf(start)))
      found.push({ key: key.slice(prefix.length), bytes, usedMs: writtenMs })
    return found.toSorted((a, b) => b.usedMs - a.usedMs)
  }
  return {
    get: (key, path) => storage.get(keyOf(key), path, { signal }),
    put: (key, path) => storage.put(keyOf(key), path, { signal }),
    async read(key) {
      const stream = await storage.read(keyOf(key))
      if (!stream) return undefined
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks).toString('utf8')
    },
    write: (key, text) =>
      withFile(folder, async (path) => {
        await writeFile(path, text, { flag: 'wx' })
        await storage.put(keyOf(key), path, { signal })
      }),
    async touch(keys) {
      if (storage.touch) return storage.touch(keys.map(keyOf))
      const oldest = Date.now() - REFRESH_MS
      for (const key of keys)
        for await (const found of storage.list(keyOf(key)))
          if (found.key === keyOf(key) && found.writtenMs < oldest)
            await withFile(folder, async (path) => {
              if (await storage.get(found.key, path, { signal })) await storage.put(found.key, path, { signal })
            })
    },
    list,
    remove: (key) => storage.remove([keyOf(key)]),
  }
}

/** Stores of finished segments in the storage of the server, which all workers share; each account has its own. */
export const segmentStores = (storage: Storage) =>
  defineStore({
    name: '@vid/cloud-segments',
    options: Type.Object({ account: Type.String({ pattern: '^\\w+$' }) }),
    open: async ({ options: { account }, workDir, signal }) => ({
      ...openBlobs(storage, `${SEGMENTS}${account}/`, workDir, signal),
      close: async () => {},
    }),
  })
