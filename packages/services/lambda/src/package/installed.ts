import { readFile, realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'

/** The fields of a package.json that matter for copying it. */
export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly license?: unknown
  readonly files?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

/** An installed package, or one linked from a workspace. */
export interface ResolvedPackage {
  /** The name that it is imported by; for an alias, not the name in its manifest. */
  readonly name: string
  /** Absolute path with links resolved. */
  readonly folder: string
  readonly manifest: PackageManifest
  /** Whether it is a developer's folder, whose files change without a new version. */
  readonly isLinked: boolean
}

/** Finds packages as Node does, and reads each one once. */
export interface Installed {
  /** Resolves a name from a folder; undefined if no such package is installed. */
  find(name: string, from: string): Promise<ResolvedPackage | undefined>
}

/** The package name of an import, without a subpath; undefined for a path, a URL or a subpath import. */
export const packageNameOf = (specifier: string): string | undefined =>
  /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*/.exec(specifier.includes(':') ? '' : specifier)?.[0]

/** The name of the installed package that contains a file; undefined outside of `node_modules`. */
export const packageAround = (file: string): string | undefined => {
  const place = file.lastIndexOf(`${sep}node_modules${sep}`)
  if (place < 0) return undefined
  const [first = '', second = ''] = file.slice(place + '/node_modules/'.length).split(sep)
  return first.startsWith('@') ? `${first}/${second}` : first
}

/** Creates a finder of installed packages. */
export const openInstalled = (): Installed => {
  const packages = new Map<string, Promise<ResolvedPackage | undefined>>()
  const read = async (name: string, place: string): Promise<ResolvedPackage | undefined> => {
    try {
      const folder = await realpath(place)
      const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageManifest
      return { name, folder, manifest, isLinked: packageAround(join(folder, 'package.json')) === undefined }
    } catch (thrown) {
      if (['ENOENT', 'ENOTDIR'].includes(String((thrown as NodeJS.ErrnoException).code))) return undefined
      throw thrown
    }
  }
  return {
    async find(name, from) {
      for (let folder = from; ; folder = dirname(folder)) {
        const place = join(folder, 'node_modules', name)
        const reading = packages.get(place) ?? read(name, place)
        packages.set(place, reading)
        const installed = await reading
        if (installed || folder === dirname(folder)) return installed
      }
    },
  }
}
