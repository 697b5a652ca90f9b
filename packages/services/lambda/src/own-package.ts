import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this package, whether it runs from its sources or from a build. */
export const ownFolder = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder))
    if (existsSync(join(folder, 'package.json')) || folder === dirname(folder)) return folder
}

/** The version of this package; one packed from a checkout has a build identifier after a plus sign. */
export const ownVersion = (): string =>
  (JSON.parse(readFileSync(join(ownFolder(), 'package.json'), 'utf8')) as { readonly version: string }).version
