import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { BUNDLES as bundles } from '../bundles.ts'
import { contentTypeOf } from '../server/content-type.ts'
import { readAddress } from './library-address.ts'
import { BUNDLED, CATALOGUE } from './library-catalogue.ts'
import { hasSameMajor, meetsRange, type OtherVersion, plainRange } from './library-version.ts'

/** What stands in for a CDN address: a file of an installed package, or the address where that file is found. */
export type ShelvedLibrary =
  /** `path` is absolute; `other` tells that the address asks for another version. */
  | { readonly path: string; readonly contentType: string; readonly other?: OtherVersion }
  | { readonly redirect: string }

const require = createRequire(import.meta.url)

/** Folder of an installed package; not every package lets its manifest be resolved. */
export const folderOf = (name: string): string | undefined =>
  (require.resolve.paths(name) ?? [])
    .map((modules) => join(modules, name))
    .find((folder) => existsSync(join(folder, 'package.json')))

/** The version that the manifest of a package's folder says. */
export const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

const fileBelow = (root: string, file: string): string | undefined => {
  const path = join(root, file)
  return path.startsWith(root + sep) && statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined
}

/** What is served for a known CDN address that asks for the installed major version. */
export const resolveLibrary = (url: string): ShelvedLibrary | undefined => {
  const address = readAddress(url)
  const library = address && Object.hasOwn(CATALOGUE, address.name) ? CATALOGUE[address.name] : undefined
  const folder = address && library && folderOf(address.name)
  if (!address || !library || !folder) return undefined
  const { name, version, file, isModule } = address
  const asked = version && plainRange(version)
  const served = versionOf(folder)
  if (!hasSameMajor(asked, served)) return undefined

  const entry = isModule ? library.module : library.main
  const wanted = (library.moved ?? []).reduce((path, [from, to]) => path.replace(from, to), file ?? entry)
  const isBundled = wanted.startsWith(BUNDLED)
  // A module's own relative imports start from its place in the package.
  if (isModule && !isBundled)
    return { redirect: `https://cdn.jsdelivr.net/npm/${name}${version ? `@${version}` : ''}/${wanted}` }
  const path = isBundled ? fileBelow(bundles, wanted.slice(BUNDLED.length)) : fileBelow(folder, wanted)
  if (path === undefined) return undefined
  const isOther = asked !== undefined && !meetsRange(asked, served)
  return { path, contentType: contentTypeOf(path), ...(isOther && { other: { name, asked, served } }) }
}
