import type { LoadedConfig } from '@vid/config'
import type { RenderContext } from '@vid/render'

/** What the checks of a config work with. */
export interface Bench {
  readonly config: Pick<LoadedConfig, 'setup' | 'render' | 'target' | 'targets'>
  readonly open: RenderContext
  /** Absolute folder of the composition that is captured and encoded; removed at the end. */
  readonly folder: string
}

/** The plugins that every render runs, without those of the config, which may act on each render. */
export const ownPlugins = ({ config, open }: Bench) => open.plugins({ capture: config.setup.capture, fresh: false })
