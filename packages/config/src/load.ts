import { findConfigFile } from './file.ts'
import { type MergedConfig, type MergeInput, mergeConfig } from './merge.ts'

export interface LoadOptions extends Omit<MergeInput, 'config'> {
  /** Folders to search for a config file, each upwards; the first one found wins. */
  readonly from: readonly string[]
}

/** The configuration of a command: found, loaded, checked and merged. */
export interface LoadedConfig extends MergedConfig {
  /** Absolute path of the config file, if there is one. */
  readonly file: string | undefined
}

/** Finds and merges the configuration; without a file, the first preset is all there is. */
export const loadConfig = async ({ from, ...input }: LoadOptions): Promise<LoadedConfig> => {
  for (const folder of new Set(from)) {
    const found = await findConfigFile(folder)
    if (found) return { file: found.file, ...mergeConfig({ ...input, config: found.config }) }
  }
  return { file: undefined, ...mergeConfig({ ...input, config: {} }) }
}
