import { createHash } from 'node:crypto'
import { identifyCode, type PluginIdentity } from '@vid/kernel'
import { Type, withoutSecrets } from '@vid/protocol'

/** Who has made a result. */
export interface Maker {
  readonly plugin: string
  /** `name@version` of an installed plugin, else a digest of its files. */
  readonly code: string
  /** Without secrets. */
  readonly options: unknown
  /** What the plugin names as its `build`. */
  readonly build: string
}

/** Who answers with a plugin of these options now. */
export const makerOf = (plugin: PluginIdentity, build: string): Maker => ({
  plugin: plugin.name,
  code: identifyCode([plugin])(plugin),
  options: withoutSecrets(plugin.optionsSchema ?? Type.Object({}), plugin.options),
  build,
})

/** The name under which a result is kept: of what was asked, by digest, and who answers. */
export const resultKey = (question: Readonly<Record<string, string | undefined>>, maker: Maker): string =>
  createHash('sha256')
    .update(JSON.stringify([question, maker]))
    .digest('hex')
