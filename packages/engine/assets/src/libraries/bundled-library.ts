import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { BUNDLES as bundles } from '../bundles.ts'
import { hasSameMajor, meetsRange, type OtherVersion, plainRange } from '../library-version.ts'
import { contentTypeOf } from '../server/content-type.ts'
import { parseLibraryAddress } from './library-address.ts'
import { BUNDLED, CATALOGUE } from './library-catalogue.ts'

/** The local answer to a CDN address: a file of a bundled package, or the address of that file. */
export type BundledLibrary =
  /** `path` is absolute; `other` is set when the address asks for another version. */
  { readonly path: string; readonly contentType: string; readonly other?: OtherVersion } | { readonly redirect: string }

const require = createRequire(import.meta.url)

/** Folder of a library's files: those that our build copied, or an installed package's. */
export const packageFolder = (name: string): string | undefined =>
  // Not every package lets its manifest be resolved.
  [bundles, ...(require.resolve.paths(name) ?? [])]
    .map((parent) => join(parent, name))
    .find((folder) => existsSync(join(folder, 'package.json')))

/** The version in the manifest of a package's folder. */
export const packageVersion = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

const fileBelow = (root: string, file: string): string | undefined => {
  const path = join(root, file)
  return path.startsWith(root + sep) && statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined
}

/** Answers a CDN address of a bundled library, if it asks for the bundled major version. */
export const resolveLibrary = (url: string): BundledLibrary | undefined => {
  const address = parseLibraryAddress(url)
  const library = address && Object.hasOwn(CATALOGUE, address.name) ? CATALOGUE[address.name] : undefined
  const folder = address && library && packageFolder(address.name)
  if (!address || !library || !folder) return undefined
  const { name, version, file, isModule } = address
  const range = version && plainRange(version)
  const servedVersion = packageVersion(folder)
  if (!hasSameMajor(range, servedVersion)) return undefined

  const entry = isModule ? library.module : library.main
  const entryPath = (library.moves ?? []).reduce((path, [from, to]) => path.replace(from, to), file ?? entry)
  const isBundled = entryPath.startsWith(BUNDLED)
  // A module's own relative imports start from its place in the package.
  if (isModule && !isBundled)
    return { redirect: `https://cdn.jsdelivr.net/npm/${name}${version ? `@${version}` : ''}/${entryPath}` }
  const path = isBundled ? fileBelow(bundles, entryPath.slice(BUNDLED.length)) : fileBelow(folder, entryPath)
  if (path === undefined) return undefined
  const isOther = range !== undefined && !meetsRange(range, servedVersion)
  return {
    path,
    contentType: contentTypeOf(path),
    ...(isOther && { other: { name, asked: range, served: servedVersion } }),
  }
}
