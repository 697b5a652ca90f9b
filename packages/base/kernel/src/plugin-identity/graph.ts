import { join } from 'node:path'
import { isInstalled } from '../contracts/origin.ts'
import { createPackages, type FoundPackage } from './packages.ts'
import { isCode, readCode, resolveImport } from './references.ts'

/** A package that is needed by its name, and the file or folder whose imports it serves. */
export interface PackageUse {
  readonly name: string
  /** Absolute folder. */
  readonly from: string
}

/**
 * The dependencies of modules besides Node, found in their texts and in package manifests; too many rather than too
 * few.
 */
export interface CodeGraph {
  /** Absolute paths, links resolved, of files outside of every installed package. */
  readonly files: readonly string[]
  /** Absolute paths by which modules name such modules, each of which may lead through links and lack its extension. */
  readonly paths: readonly string[]
  /** Packages that are imported by name, and those that they declare to need, by the folder that they were found in. */
  readonly packages: readonly FoundPackage[]
  /** The package that a name means in a folder, as Node finds it. */
  find(name: string, from: string): FoundPackage | undefined
}

/** Follows the imports of modules, and of packages that are used without an import. */
export const followCode = (modules: readonly string[], uses: readonly PackageUse[] = []): CodeGraph => {
  const packages = createPackages()
  const files = new Set(modules)
  const paths = new Set<string>()
  const byPlace = new Map<string, FoundPackage>()
  const needed: FoundPackage[] = []
  const need = (entry: FoundPackage | undefined) => {
    if (entry === undefined || byPlace.has(entry.place)) return
    byPlace.set(entry.place, entry)
    needed.push(entry)
  }
  const follow = (file: string) => {
    for (const name of readCode(file).names) {
      const target = resolveImport(name, file, packages)
      need('installed' in target ? target.installed : target.linked)
      if (!('files' in target)) continue
      for (const file of target.files.filter((file) => !isInstalled(file))) {
        files.add(file)
        if (target.path !== undefined && isCode(file)) paths.add(target.path)
      }
    }
  }
  const named = (name: string, folder: string) => packages.named(name, join(folder, 'package.json'))
  for (const { name, from } of uses) need(named(name, from))
  // Both lists grow while they are read.
  for (const file of files) follow(file)
  for (const { folder, dependencies } of needed) for (const name of dependencies) need(named(name, folder))
  return { files: [...files], paths: [...paths], packages: needed, find: named }
}
