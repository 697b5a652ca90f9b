import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentTypeOf } from './asset-server.ts'
import { readAddress } from './library-address.ts'
import { BUNDLED, CATALOGUE } from './library-catalogue.ts'

/** What stands in for a CDN address: a file of an installed package, or the address where that file is found. */
export type ShelvedLibrary =
  /** `path` is absolute. */
  { readonly path: string; readonly contentType: string } | { readonly redirect: string }

const require = createRequire(import.meta.url)
const bundles = fileURLToPath(new URL('../dist/shelf', import.meta.url))

/** Folder of an installed package; not every package lets its manifest be resolved. */
export const folderOf = (name: string): string | undefined =>
  (require.resolve.paths(name) ?? [])
    .map((modules) => join(modules, name))
    .find((folder) => existsSync(join(folder, 'package.json')))

/** The version that the manifest of a package's folder says. */
export const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

/** Whether a range such as `latest`, `3`, `^3.12.5`, `r128` or none is met by the installed major version. */
const isSameMajor = (range: string | undefined, installed: string): boolean => {
  if (range === undefined || /^(?:latest|\*|x)$/.test(range)) return true
  const major = installed.split('.')[0]
  // Three.js counts its revisions where others count majors, and so do its addresses on cdnjs.
  if (/^r\d+$/.test(range)) return major === '0'
  return /^(?:[~^]|>=)?v?(\d+)(?:\.|$)/.exec(range)?.[1] === major
}

const fileBelow = (root: string, file: string): string | undefined => {
  const path = join(root, file)
  return path.startsWith(root + sep) && statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined
}

/** A range as it was meant; what no decoder reads stays as it is and names no version. */
const decoded = (range: string): string => {
  try {
    return decodeURIComponent(range)
  } catch {
    return range
  }
}

/** What is served for a known CDN address that asks for the installed major version. */
export const resolveLibrary = (url: string): ShelvedLibrary | undefined => {
  const address = readAddress(url)
  const library = address && Object.hasOwn(CATALOGUE, address.name) ? CATALOGUE[address.name] : undefined
  const folder = address && library && folderOf(address.name)
  if (!address || !library || !folder) return undefined
  const { name, version, file, isModule } = address
  if (!isSameMajor(version && decoded(version), versionOf(folder))) return undefined

  const entry = isModule ? library.module : library.main
  const wanted = (library.moved ?? []).reduce((path, [from, to]) => path.replace(from, to), file ?? entry)
  const isBundled = wanted.startsWith(BUNDLED)
  // A module's own relative imports start from its place in the package.
  if (isModule && !isBundled)
    return { redirect: `https://cdn.jsdelivr.net/npm/${name}${version ? `@${version}` : ''}/${wanted}` }
  const path = isBundled ? fileBelow(bundles, wanted.slice(BUNDLED.length)) : fileBelow(folder, wanted)
  return path === undefined ? undefined : { path, contentType: contentTypeOf(path) }
}
