import { dirname, sep } from 'node:path'
import type { Installed, ResolvedPackage } from './installed.ts'
import { packageNameOf } from './installed.ts'
import { isForeign } from './platform.ts'
import type { ReachedFile, RootImport } from './reach.ts'

/** A package with the packages that it may load. */
export interface PackageNode {
  readonly installed: ResolvedPackage
  /** By import name. */
  readonly dependencies: ReadonlyMap<string, ResolvedPackage>
}

/** All packages that the function needs, by folder, and those that its own code imports. */
export interface Closure {
  readonly roots: ReadonlyMap<string, ResolvedPackage>
  readonly packages: ReadonlyMap<string, PackageNode>
}

/** Selects the files of a package's folder. */
const byPackage = (files: readonly ReachedFile[], folder: string): readonly ReachedFile[] =>
  files.filter(
    ({ path }) => path.startsWith(folder + sep) && !path.slice(folder.length).includes(`${sep}node_modules${sep}`),
  )

/**
 * Names of packages that a package may load: those that its reached files import or name, and all of its dependencies
 * if the names cannot be determined from the files.
 */
const namesOf = ({ manifest }: ResolvedPackage, files: readonly ReachedFile[]): ReadonlySet<string> => {
  const { dependencies, optionalDependencies, peerDependencies } = manifest
  const declared = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  const isUnread = files.length === 0 || files.some(({ isComputed }) => isComputed)
  const mentioned = declared.filter((name) => isUnread || files.some(({ text }) => text.includes(name)))
  const imported = files.flatMap(({ imports }) => imports.map(packageNameOf))
  return new Set([...mentioned, ...imported.filter((name) => name !== undefined)])
}

/** Finds all installed packages that the roots may load. */
export const closePackages = async (
  roots: readonly RootImport[],
  files: readonly ReachedFile[],
  installed: Installed,
): Promise<Closure> => {
  const rootPackages = new Map<string, ResolvedPackage>()
  const packages = new Map<string, PackageNode>()
  const queue: ResolvedPackage[] = []
  for (const { specifier, from } of roots) {
    const name = packageNameOf(specifier)
    const installedPackage = name === undefined ? undefined : await installed.find(name, from)
    if (!installedPackage || name === undefined) continue
    rootPackages.set(name, installedPackage)
    queue.push(installedPackage)
  }
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (packages.has(next.folder)) continue
    const dependencies = new Map<string, ResolvedPackage>()
    packages.set(next.folder, { installed: next, dependencies })
    const packageFiles = byPackage(files, next.folder)
    const froms = new Set([next.folder, ...packageFiles.map(({ path }) => dirname(path))])
    for (const name of namesOf(next, packageFiles)) {
      if (name === next.manifest.name) continue
      for (const from of froms) {
        const dependency = await installed.find(name, from)
        if (!dependency) continue
        if (isForeign(dependency.manifest)) break
        dependencies.set(name, dependency)
        queue.push(dependency)
        break
      }
    }
  }
  return { roots: rootPackages, packages }
}
