import { definePlugin, isSourceAddress, type SourceJob, withDefault } from '@vid/kernel'
import { machineLocal, type RenderPlan, Type } from '@vid/protocol'
import { findProjectFile } from '@vid/system'
import { openCacheDir } from '../folders/cache-dir.ts'
import { createRemoteAccess } from '../remote/remote-access.ts'
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
    privateHosts: withDefault(machineLocal(Type.Array(Type.String())), []),
  }),
  setup(hooks, { options }) {
    let remote: Promise<RemoteAssets> | undefined
    let accessPlan: Pick<RenderPlan, 'network' | 'variables'> | undefined
    const openRemote = async ({ signal, projectDir, reading, warn }: SourceJob) => {
      const access = accessPlan && createRemoteAccess({ ...accessPlan, projectDir, signal, reading })
      return openRemoteAssets({ ...options, access, signal, warn, cacheDir: await openCacheDir(process.env) })
    }
    // Each of these comes before the first source of its plan.
    const note = (plan: RenderPlan) => {
      accessPlan ??= plan
      return undefined
    }
    hooks.plan.tap(NAME, (plan) => {
      note(plan)
      return plan
    })
    hooks.capture.tap(NAME, (plan) => note(plan))
    hooks.mix.tap(NAME, ({ plan }) => note(plan))
    hooks.source.tapPromise(NAME, async (job: SourceJob) => {
      const { src, projectDir } = job
      if (!isSourceAddress(src)) return findProjectFile(projectDir, src)
      if (!/^https?:/i.test(src)) return undefined
      remote ??= openRemote(job)
      return (await remote).file(src)
    })
  },
})
