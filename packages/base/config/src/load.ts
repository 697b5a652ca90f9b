import { noteOrigin, originOf, type PluginOf } from '@vid/kernel'
import type { Warning } from '@vid/protocol'
import type { ConfigCommand, VidConfig } from './define.ts'
import { findConfigFile } from './file.ts'
import { type MergedConfig, type MergeInput, mergeConfig, missingTarget } from './merge.ts'
import { versionWarnings } from './plugin-versions.ts'
import { pluginsIn } from './plugins.ts'
import { shownPath } from './search.ts'
import { loadTarget, targetPackages } from './vid-packages.ts'
import { configWarning } from './warnings.ts'

export interface LoadOptions extends Omit<MergeInput, 'config'> {
  /** Folders to search for a config file, each upwards; the first one found wins. */
  readonly from: readonly string[]
}

/** The configuration of a command: found, loaded, checked and merged. */
export interface LoadedConfig extends MergedConfig {
  /** Absolute path of the config file, if there is one. */
  readonly file: string | undefined
  /** What is odd about the config file and its plugins. */
  readonly warnings: readonly Warning[]
  /** The commands of the config file. */
  readonly commands: readonly ConfigCommand[]
  /** Its rules of `vid check`, and what it makes of all rules. */
  readonly checks: readonly PluginOf<'check'>[]
  readonly check: NonNullable<VidConfig['check']>
  /** Its programs for speech, where it has some. */
  readonly transcriber?: PluginOf<'transcriber'>
  readonly speaker?: PluginOf<'speaker'>
}

/** Lets the code of a plugin that no define function made be that of the config file, and of all that it imports. */
const noteOrigins = (config: VidConfig, file: string): void => {
  for (const plugin of pluginsIn(config))
    if (!originOf(plugin) && Object.isExtensible(plugin)) noteOrigin(plugin, { definition: plugin, files: [file] })
}

/** Merges a configuration; a target of a package of vid needs not be listed in it. */
const mergeInstalled = async (input: MergeInput, from: string): Promise<MergedConfig> => {
  const missing = missingTarget(input)
  if (!missing || !Object.hasOwn(targetPackages, missing.name)) return mergeConfig(input)
  const target = await loadTarget(missing.name, missing.source, from)
  return mergeConfig({ ...input, installed: { [missing.name]: target } })
}

/** Finds and merges the configuration; without a file, the first preset is all there is. */
export const loadConfig = async ({ from, ...input }: LoadOptions): Promise<LoadedConfig> => {
  const [nearest = process.cwd()] = from
  for (const folder of new Set(from)) {
    const located = await findConfigFile(folder, from)
    if (!located) continue
    const { file, config, others } = located
    noteOrigins(config, file)
    const warnings = [
      ...(others.length > 0 ? [configWarning('VID_CONFIG_SEVERAL', { file: shownPath(file), others })] : []),
      ...(await versionWarnings(pluginsIn(config))),
    ]
    const { commands = [], checks = [], check = {}, transcriber, speaker } = config
    const speech = { ...(transcriber && { transcriber }), ...(speaker && { speaker }) }
    return {
      file,
      warnings,
      commands,
      checks,
      check,
      ...speech,
      ...(await mergeInstalled({ ...input, config }, nearest)),
    }
  }
  const merged = await mergeInstalled({ ...input, config: {} }, nearest)
  return { file: undefined, warnings: [], commands: [], checks: [], check: {}, ...merged }
}
