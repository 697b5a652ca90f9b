import { defineStore } from '@vid/kernel'
import { Type } from '@vid/protocol'
import type { Storage } from '../storage/storage.ts'
import { SEGMENTS } from './storage-keys.ts'

/** Name of the plugin that keeps finished segments. */
export const SEGMENT_STORE = '@vid/cloud-segments'

/** Segment caches in the server's storage, shared by all workers; each account has its own. */
export const segmentStores = (storage: Pick<Storage, 'below'>) =>
  defineStore({
    name: SEGMENT_STORE,
    options: Type.Object({ account: Type.String({ pattern: '^\\w+$' }) }),
    open: async ({ options: { account }, signal, warn }) => ({
      ...storage.below(`${SEGMENTS}${account}/`, { signal, warn }),
      close: async () => {},
    }),
  })
