import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const named = (...extensions: readonly string[]) => extensions.map((extension) => `vid.config.${extension}`)

/** The names of a config file; the first that a folder has counts. */
export const configNames: readonly string[] = named('ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json')

/** Names that are meant for a config file, and that nothing reads. */
export const foreignNames: readonly string[] = named('tsx', 'jsx', 'jsonc', 'json5', 'yaml', 'yml', 'toml')

/** A folder and those above it, up to the user's home folder or the root. */
export const foldersAbove = (from: string): string[] => {
  const home = homedir()
  const folders = [resolve(from)]
  for (let folder = resolve(from); folder !== home && folder !== dirname(folder); ) {
    folder = dirname(folder)
    folders.push(folder)
  }
  return folders
}

/** Whether a folder, or one above it, has a config file; it may be one that is refused. */
export const hasConfigFile = (from: string): boolean =>
  foldersAbove(from).some((folder) => configNames.some((name) => existsSync(join(folder, name))))
