import { createRemoteAccess, openCacheDir, openRemoteAssets, type RemoteAssets } from '@vid/assets'
import { createKernel, definePlugin, isSourceAddress, type PluginOf, type SourceFiles } from '@vid/kernel'
import { findProjectFile } from '@vid/system'
import type { ProjectSettings } from './settings.ts'

/** Where the files of a project's media come from, as in a render with the same config; to be closed. */
export interface ProjectSources {
  /** Remote files under the network rules of the config. */
  readonly remote: RemoteAssets
  /** What the plugins on the hook `source` answer. */
  readonly files: SourceFiles
  close(): Promise<void>
}

/** The plugin of a render that finds files of the project and addresses; it learns the rules of the network from a plan. */
const READER = '@vid/assets'

/** The same for a preview, which has no plan. */
const readerOf = (remote: RemoteAssets): PluginOf<'plugin'> =>
  definePlugin({
    name: READER,
    setup(hooks) {
      hooks.source.tapPromise(READER, async ({ src, projectDir }) => {
        if (!isSourceAddress(src)) return findProjectFile(projectDir, src)
        return /^https?:/i.test(src) ? remote.file(src) : undefined
      })
    },
  })()

/** Opens the sources of a project by what its config says. */
export const openProjectSources = async (
  projectDir: string,
  { network, values, privateHosts, setup }: ProjectSettings,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<ProjectSources> => {
  const limits = network === 'public' ? {} : { network }
  const remote = openRemoteAssets({
    cacheDir: await openCacheDir(env),
    privateHosts,
    access: createRemoteAccess({ ...limits, variables: values, projectDir }),
    signal,
  })
  const { capture, encoders, plugins = [] } = setup
  const reader = readerOf(remote)
  const kernel = createKernel({
    capture,
    encoders,
    plugins: plugins.map((plugin) => (plugin.name === READER ? reader : plugin)),
  })
  const run = await kernel.open({ projectDir, signal })
  const { sources } = run.context({ name: '@vid/preview', options: {} })
  return { remote, files: sources, close: () => run.close() }
}
