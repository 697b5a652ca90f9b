import type { Closure, PackageNode } from './closure.ts'
import type { InstalledPackage } from './installed.ts'

/** A package at its place in the function. */
export interface PlacedPackage {
  /** Below the folder of the function, with forward slashes: `node_modules/a/node_modules/b`. */
  readonly place: string
  readonly installed: InstalledPackage
}

const childOf = (place: string, name: string) => `${place === '' ? '' : `${place}/`}node_modules/${name}`

/** The place that contains a place; undefined for the folder of the function. */
const above = (place: string): string | undefined => {
  if (place === '') return undefined
  const cut = place.lastIndexOf('node_modules/')
  return cut === 0 ? '' : place.slice(0, cut - 1)
}

/**
 * Gives each package a place so that every import finds the very package that it finds where they are installed: at the
 * top, or inside of the package that imports it where the top has another one of that name.
 */
export const layOut = ({ roots, packages }: Closure): readonly PlacedPackage[] => {
  const placed = new Map<string, InstalledPackage>()
  const seenFrom = (place: string, name: string): InstalledPackage | undefined => {
    for (let at: string | undefined = place; at !== undefined; at = above(at)) {
      const existing = placed.get(childOf(at, name))
      if (existing) return existing
    }
    return undefined
  }
  const waiting: string[] = []
  const put = (place: string, installed: InstalledPackage) => {
    placed.set(place, installed)
    waiting.push(place)
  }
  /** Lets a package at a place see another one; true when nothing was to be done. */
  const connect = (place: string, name: string, dependency: InstalledPackage): boolean => {
    const seen = seenFrom(place, name)
    if (seen?.folder === dependency.folder) return true
    put(childOf(seen === undefined ? '' : place, name), dependency)
    return false
  }
  for (const [name, installed] of roots) connect('', name, installed)
  // What is put inside of a package may hide another one from those that are there already.
  for (let isStable = false; !isStable; ) {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift())
      for (const [name, dependency] of dependenciesAt(place, placed, packages)) connect(place, name, dependency)
    isStable = [...placed.keys()].every((place) =>
      [...dependenciesAt(place, placed, packages)].every(([name, dependency]) => connect(place, name, dependency)),
    )
  }
  return [...placed]
    .map(([place, installed]) => ({ place, installed }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

const dependenciesAt = (
  place: string,
  placed: ReadonlyMap<string, InstalledPackage>,
  packages: ReadonlyMap<string, PackageNode>,
): PackageNode['dependencies'] =>
  packages.get(placed.get(place)?.folder ?? '')?.dependencies ?? new Map<string, InstalledPackage>()
