import {
  definePlugin,
  findProjectFile,
  isSourceAddress,
  type SourceJob,
  Type,
  withDefault,
} from '@vid/kernel'
import { openCacheDir } from '../folders/cache-dir.ts'
import { openRemoteAssets, type RemoteAssets } from '../remote/remote-assets.ts'

const NAME = '@vid/assets'

/**
 * Finds the media sources of a render: files of the project, and http(s) addresses, which are fetched into the cache
 * folder. Addresses of other schemes are left to other plugins.
 */
export const sourceReader = definePlugin({
  name: NAME,
  options: Type.Object({
    /** Hosts at private addresses, as `name` or `name:port`, that sources may be fetched from. */
    privateHosts: withDefault(Type.Array(Type.String()), []),
  }),
  setup(hooks, { options }) {
    let remote: Promise<RemoteAssets> | undefined
    const openRemote = async (signal: AbortSignal) =>
      openRemoteAssets({ ...options, signal, cacheDir: await openCacheDir(process.env) })
    hooks.source.tapPromise(NAME, async ({ src, projectDir, signal }: SourceJob) => {
      if (!isSourceAddress(src)) return findProjectFile(projectDir, src)
      if (!/^https?:/i.test(src)) return undefined
      remote ??= openRemote(signal)
      return (await remote).file(src)
    })
  },
})
