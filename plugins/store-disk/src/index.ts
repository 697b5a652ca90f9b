import { resolve } from 'node:path'
import { defineStore, machineLocal, Type, withDefault } from '@vid/kernel'
import { hasCache } from './cache.ts'
import { clean } from './folder.ts'
import { storeSegment } from './segment.ts'

/** Keeps finished segments in a folder of the project, so that none is rendered twice. */
export default defineStore({
  name: '@vid/store-disk',
  options: Type.Object({
    /** Most that kept files take on disk; those that were used longest ago go first. */
    maxBytes: withDefault(Type.Integer({ minimum: 0 }), 2 * 1024 ** 3),
    /** The folder, from that of the project; several projects may share one. */
    dir: withDefault(machineLocal(Type.String({ minLength: 1 })), '.vid/cache'),
    /** Looks nothing up, but keeps what is made. */
    fresh: withDefault(Type.Boolean(), false),
  }),
  segment: storeSegment,
  async clean({ options, projectDir }) {
    const root = resolve(projectDir, options.dir)
    return (await hasCache(root)) ? clean(root) : 0
  },
})
