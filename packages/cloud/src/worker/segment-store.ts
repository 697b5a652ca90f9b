import { defineStore, Type } from '@vid/kernel'
import type { Storage } from '../storage/storage.ts'
import { SEGMENTS } from './storage-keys.ts'

/** Stores of finished segments in the storage of the server, which all workers share; each account has its own. */
export const segmentStores = (storage: Pick<Storage, 'below'>) =>
  defineStore({
    name: '@vid/cloud-segments',
    options: Type.Object({ account: Type.String({ pattern: '^\\w+$' }) }),
    open: async ({ options: { account }, signal, warn }) => ({
      ...storage.below(`${SEGMENTS}${account}/`, { signal, warn }),
      close: async () => {},
    }),
  })
