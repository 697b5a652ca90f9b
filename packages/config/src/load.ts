import { noteOrigin, originOf } from '@vid/kernel'
import type { VidConfig } from './define.ts'
import { findConfigFile } from './file.ts'
import { type MergedConfig, type MergeInput, mergeConfig } from './merge.ts'
import { pluginsIn } from './plugins.ts'

export interface LoadOptions extends Omit<MergeInput, 'config'> {
  /** Folders to search for a config file, each upwards; the first one found wins. */
  readonly from: readonly string[]
}

/** The configuration of a command: found, loaded, checked and merged. */
export interface LoadedConfig extends MergedConfig {
  /** Absolute path of the config file, if there is one. */
  readonly file: string | undefined
}

/** Lets the code of a plugin that no define function made be that of the config file, and of all that it imports. */
const noteOrigins = (config: VidConfig, file: string): void => {
  for (const plugin of pluginsIn(config))
    if (!originOf(plugin) && Object.isExtensible(plugin)) noteOrigin(plugin, { definition: plugin, files: [file] })
}

/** Finds and merges the configuration; without a file, the first preset is all there is. */
export const loadConfig = async ({ from, ...input }: LoadOptions): Promise<LoadedConfig> => {
  for (const folder of new Set(from)) {
    const found = await findConfigFile(folder, from)
    if (!found) continue
    noteOrigins(found.config, found.file)
    return { file: found.file, ...mergeConfig({ ...input, config: found.config }) }
  }
  return { file: undefined, ...mergeConfig({ ...input, config: {} }) }
}
