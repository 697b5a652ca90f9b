import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A package in a folder `node_modules`. */
export interface InstalledPackage {
  /** Absolute, without links. */
  readonly folder: string
  readonly version: string
}

interface Manifest {
  readonly version?: string
  readonly exports?: Readonly<Record<string, { readonly default?: string }>>
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The package of a name that code in a folder (absolute) would import; undefined without one. */
export const findPackage = (name: string, from: string): InstalledPackage | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (existsSync(join(place, 'package.json')))
      return { folder: realpathSync(place), version: manifestOf(place).version ?? '' }
    if (dirname(folder) === folder) return undefined
  }
}

/** Absolute path of what a package exports under a subpath such as `.`; undefined where it has none. */
export const exportedFile = ({ folder }: InstalledPackage, subpath: string): string | undefined => {
  const entry = manifestOf(folder).exports?.[subpath]
  return entry?.default === undefined ? undefined : join(folder, entry.default)
}
