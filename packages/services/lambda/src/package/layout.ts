import type { Closure, PackageNode } from './closure.ts'
import type { ResolvedPackage } from './installed.ts'

/** A package with its location in the function. */
export interface PlacedPackage {
  /** Relative to the folder of the function, with forward slashes: `node_modules/a/node_modules/b`. */
  readonly place: string
  readonly installed: ResolvedPackage
}

const childOf = (place: string, name: string) => `${place === '' ? '' : `${place}/`}node_modules/${name}`

/** The location that contains a location; undefined for the folder of the function. */
const above = (place: string): string | undefined => {
  if (place === '') return undefined
  const cut = place.lastIndexOf('node_modules/')
  return cut === 0 ? '' : place.slice(0, cut - 1)
}

/**
 * Places packages so that every import resolves to the same package as in the installation: at the top, or inside the
 * importing package if the top has another package of that name.
 */
export const layOutPackages = ({ roots, packages }: Closure): readonly PlacedPackage[] => {
  const packageAt = new Map<string, ResolvedPackage>()
  const seenFrom = (place: string, name: string): ResolvedPackage | undefined => {
    for (let folder: string | undefined = place; folder !== undefined; folder = above(folder)) {
      const existing = packageAt.get(childOf(folder, name))
      if (existing) return existing
    }
    return undefined
  }
  const queue: string[] = []
  const put = (place: string, installed: ResolvedPackage) => {
    packageAt.set(place, installed)
    queue.push(place)
  }
  /** Makes a package resolvable from a location; true if it already was. */
  const connect = (place: string, name: string, dependency: ResolvedPackage): boolean => {
    const visible = seenFrom(place, name)
    if (visible?.folder === dependency.folder) return true
    put(childOf(visible === undefined ? '' : place, name), dependency)
    return false
  }
  for (const [name, installed] of roots) connect('', name, installed)
  // A package placed inside another may hide one that other packages resolve, so repeat until nothing changes.
  for (let isStable = false; !isStable; ) {
    for (let place = queue.shift(); place !== undefined; place = queue.shift())
      for (const [name, dependency] of dependenciesAt(place, packageAt, packages)) connect(place, name, dependency)
    isStable = [...packageAt.keys()].every((place) =>
      [...dependenciesAt(place, packageAt, packages)].every(([name, dependency]) => connect(place, name, dependency)),
    )
  }
  return [...packageAt]
    .map(([place, installed]) => ({ place, installed }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

const dependenciesAt = (
  place: string,
  packageAt: ReadonlyMap<string, ResolvedPackage>,
  packages: ReadonlyMap<string, PackageNode>,
): PackageNode['dependencies'] =>
  packages.get(packageAt.get(place)?.folder ?? '')?.dependencies ?? new Map<string, ResolvedPackage>()
