import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A package in some folder. */
export interface FoundPackage {
  readonly name: string
  readonly version: string
  /** Absolute, without links. */
  readonly folder: string
  readonly exports: unknown
  readonly main: string | undefined
}

/** Finds packages, each once. */
export interface Packages {
  /** The package of a name, as Node finds it for a file. */
  named(name: string, from: string): FoundPackage | undefined
  /** The package that a file belongs to: the nearest above that has a name and a version. */
  around(file: string): FoundPackage | undefined
}

/** Whether a path is that of a file; text that only looks like a path is none. */
export const isFile = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch (thrown) {
    if (['EMFILE', 'ENFILE', 'EIO'].includes(String((thrown as NodeJS.ErrnoException).code))) throw thrown
    return false
  }
}

const parse = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    // A module that imports it fails before its code counts.
    return undefined
  }
}

const readPackage = (folder: string): FoundPackage | undefined => {
  const file = join(folder, 'package.json')
  const manifest = isFile(file) ? parse(readFileSync(file, 'utf8')) : undefined
  if (!manifest) return undefined
  const { name = '', version = '', exports, main } = manifest
  return {
    ...{ name: String(name), version: String(version), exports },
    folder: realpathSync(folder),
    main: typeof main === 'string' ? main : undefined,
  }
}

/** Starts to look for packages. */
export const createPackages = (): Packages => {
  const read = new Map<string, FoundPackage | undefined>()
  const at = (folder: string) => {
    if (!read.has(folder)) read.set(folder, readPackage(folder))
    return read.get(folder)
  }
  return {
    named(name, from) {
      for (let folder = dirname(from); ; folder = dirname(folder)) {
        const found = at(join(folder, 'node_modules', name))
        if (found || folder === dirname(folder)) return found
      }
    },
    around(file) {
      for (let folder = dirname(file); ; folder = dirname(folder)) {
        const found = at(folder)
        if (found?.name && found.version) return found
        if (folder === dirname(folder)) return undefined
      }
    },
  }
}
