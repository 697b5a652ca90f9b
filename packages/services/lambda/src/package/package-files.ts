import { createHash } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { digestFile } from '@vid/system'
import ignore from 'ignore'
import type { ResolvedPackage } from './installed.ts'

/** A file of the function. */
export interface PackageFile {
  /** Relative to the folder of the function, with forward slashes. */
  readonly path: string
  /** Absolute path of the source, or the content itself. */
  readonly from: string | { readonly content: string | Buffer }
  readonly bytes: number
  readonly isExecutable: boolean
}

/** Files for people and compilers: types, source maps, pages. Licences stay. */
const isNotRun = (path: string): boolean =>
  /\.(?:d\.[mc]?ts|map|md|markdown|tsbuildinfo|flow)$/i.test(path) &&
  !/^(?:licen[cs]e|copying|notice)/i.test(basename(path))

/** Folders at the top of a package that are not part of it; deeper folders of the same name are. */
const NOT_OWN: ReadonlySet<string> = new Set(['node_modules', '.git', '.github'])

/** Lists the files of a folder without nested packages; does not follow links. */
const listFiles = async (folder: string, below = ''): Promise<string[]> => {
  const entries = await readdir(join(folder, below), { withFileTypes: true })
  const fileLists = await Promise.all(
    entries.map((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) return NOT_OWN.has(path) ? [] : listFiles(folder, path)
      return entry.isFile() ? [path] : []
    }),
  )
  return fileLists.flat()
}

/**
 * Whether a file is only for building container images, which the function never does: dozens of megabytes in a
 * checkout.
 */
const isImageRecipe = ({ manifest }: ResolvedPackage, path: string): boolean =>
  manifest.name === '@vid/container' && path.startsWith('recipe/')

const isHidden = (path: string): boolean => path.split('/').some((name) => name.startsWith('.'))

/**
 * Selects the files that a developer's package would publish by its `files` list; an exclamation mark excludes some.
 * Without a list, hidden files are left out, because they hold credentials and settings.
 */
const isPublished = ({ manifest: { files } }: ResolvedPackage): ((path: string) => boolean) => {
  if (!files) return (path) => !isHidden(path)
  const rooted = (pattern: string) => pattern.replace(/^\.?\/?/, '/')
  const inclusions = ignore().add(files.filter((pattern) => !pattern.startsWith('!')).map(rooted))
  const without = ignore().add(
    files.filter((pattern) => pattern.startsWith('!')).map((pattern) => rooted(pattern.slice(1))),
  )
  return (path) =>
    path === 'package.json' ||
    /^(?:licen[cs]e|third_party_notices)/i.test(path) ||
    (inclusions.ignores(path) && !without.ignores(path))
}

/**
 * The manifest of a developer's package, with a version that changes with its files, because versions identify plugins.
 */
const versioned = async ({ manifest, folder }: ResolvedPackage, paths: readonly string[]): Promise<string> => {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(`${await digestFile(join(folder, path))} ${path}\n`)
  const build = hash.digest('hex').slice(0, 16)
  const version = `${manifest.version}${manifest.version.includes('+') ? '.' : '+'}${build}`
  return `${JSON.stringify({ ...manifest, version }, null, 2)}\n`
}

/** The files of a package that the function runs, at its location. */
export const packageFilesOf = async (installed: ResolvedPackage, place: string): Promise<readonly PackageFile[]> => {
  const { folder, isLinked } = installed
  const isWanted = isLinked ? isPublished(installed) : () => true
  const paths = (await listFiles(folder))
    .filter((path) => !isNotRun(path) && !isImageRecipe(installed, path) && isWanted(path))
    .sort()
  const files = await Promise.all(
    paths.map(async (path): Promise<PackageFile> => {
      const from = join(folder, path)
      const { size: bytes, mode } = await lstat(from)
      return { path: `${place}/${path}`, from, bytes, isExecutable: (mode & 0o100) !== 0 }
    }),
  )
  if (!isLinked) return files
  const content = await versioned(installed, paths)
  const path = `${place}/package.json`
  const manifest = { path, from: { content }, bytes: Buffer.byteLength(content), isExecutable: false }
  return files.map((file) => (file.path === path ? manifest : file))
}
