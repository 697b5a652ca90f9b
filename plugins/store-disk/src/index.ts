import { defineStore, machineLocal, Type, withDefault } from '@vid/kernel'
import { removeCache } from './cache-files.ts'
import { cacheRoot } from './cache-root.ts'
import { openDiskStore } from './disk-store.ts'

export { storeErrors } from './errors.ts'

/** Keeps finished segments in a folder of the project. */
export default defineStore({
  name: '@vid/store-disk',
  options: Type.Object({
    /** Limit on the disk space of the cache in bytes; the least recently used files are removed first. */
    maxBytes: withDefault(Type.Integer({ minimum: 0 }), 2 * 1024 ** 3),
    /** Folder of the cache, relative to the project; several projects may share one. */
    dir: withDefault(machineLocal(Type.String({ minLength: 1 })), '.vid/cache'),
  }),
  open: async ({ options: { dir, maxBytes }, projectDir }) => openDiskStore(await cacheRoot(projectDir, dir), maxBytes),
  clean: async ({ options: { dir }, projectDir }) => removeCache(await cacheRoot(projectDir, dir)),
})
