import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseJson } from '@vid/protocol'

/** A package in some folder. */
export interface FoundPackage {
  readonly name: string
  readonly version: string
  /** Absolute path by which it was found. */
  readonly place: string
  /** Absolute, without links. */
  readonly folder: string
  readonly exports: unknown
  readonly main: string | undefined
  /** Names of the packages that it declares to need when it runs. */
  readonly dependencies: readonly string[]
}

/** Finds packages and files, each once: many modules name the same. */
export interface Packages {
  /** The package of a name, as Node finds it for a file. */
  named(name: string, from: string): FoundPackage | undefined
  /** The package that a file belongs to: the nearest above that has a name and a version. */
  around(file: string): FoundPackage | undefined
  /** A file, without links, by the path that an import gives it. */
  file(path: string): string | undefined
}

/** Whether a path is that of a file; text that only looks like a path is none. */
const isFile = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch (thrown) {
    if (['EMFILE', 'ENFILE', 'EIO'].includes(String((thrown as NodeJS.ErrnoException).code))) throw thrown
    return false
  }
}

const readPackage = (folder: string): FoundPackage | undefined => {
  const file = join(folder, 'package.json')
  // A module that imports a package whose manifest is damaged fails before its code counts.
  const manifest = isFile(file) ? parseJson(readFileSync(file, 'utf8')) : undefined
  if (!manifest) return undefined
  const { name = '', version = '', exports, main } = manifest as Readonly<Record<string, unknown>>
  const { dependencies, optionalDependencies, peerDependencies } = manifest as Readonly<Record<string, unknown>>
  return {
    place: folder,
    name: String(name),
    version: String(version),
    exports,
    folder: realpathSync(folder),
    main: typeof main === 'string' ? main : undefined,
    dependencies: [dependencies, optionalDependencies, peerDependencies].flatMap((group) =>
      typeof group === 'object' && group !== null ? Object.keys(group) : [],
    ),
  }
}

/** Extensions of modules. */
export const CODE_EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx'] as const
const EXTENSIONS = [...CODE_EXTENSIONS, '.json']

/** A file by the name that an import gives it: TypeScript may be named as the JavaScript made of it. */
const findFile = (path: string): string | undefined => {
  if (isFile(path)) return realpathSync.native(path)
  const candidates = [
    ...EXTENSIONS.map((extension) => `${path}${extension}`),
    ...(/\.[mc]?jsx?$/.test(path) ? [path.replace(/js(x?)$/, 'ts$1'), path.replace(/jsx?$/, 'tsx')] : []),
    ...EXTENSIONS.map((extension) => join(path, `index${extension}`)),
  ]
  const file = candidates.find(isFile)
  return file === undefined ? undefined : realpathSync.native(file)
}

/** Starts to look for packages and files. */
export const createPackages = (): Packages => {
  const read = new Map<string, FoundPackage | undefined>()
  const files = new Map<string, string | undefined>()
  const packageAt = (folder: string) => {
    if (!read.has(folder)) read.set(folder, readPackage(folder))
    return read.get(folder)
  }
  return {
    named(name, from) {
      for (let folder = dirname(from); ; folder = dirname(folder)) {
        const entry = packageAt(join(folder, 'node_modules', name))
        if (entry || folder === dirname(folder)) return entry
      }
    },
    around(file) {
      for (let folder = dirname(file); ; folder = dirname(folder)) {
        const entry = packageAt(folder)
        if (entry?.name && entry.version) return entry
        if (folder === dirname(folder)) return undefined
      }
    },
    file(path) {
      if (!files.has(path)) files.set(path, findFile(path))
      return files.get(path)
    },
  }
}
