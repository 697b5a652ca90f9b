import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shellWord } from '@vid/protocol'
import { isPublished } from './published.ts'

const WORKSPACE = 'vid-workspace'
const OWN_FOLDER = join('packages', 'base', 'system')
const SCOPE = '@vid/'

const HERE = dirname(fileURLToPath(import.meta.url))

const nameIn = (folder: string): unknown => {
  const manifest = join(folder, 'package.json')
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown }).name : undefined
}

/** The clone that a file of this package is in; undefined where the package was installed from elsewhere. */
export const cloneOf = (file: string): string | undefined => {
  const end = file.lastIndexOf(`${sep}${OWN_FOLDER}${sep}`)
  const root = end < 0 ? undefined : file.slice(0, end)
  return root !== undefined && nameIn(root) === WORKSPACE ? root : undefined
}

/** The clone whose packages run, as long as a registry does not have them; undefined otherwise. */
const currentClone = (): string | undefined => (isPublished ? undefined : cloneOf(HERE + sep))

/** The folder of a package of vid in a clone; undefined for any other name. */
const folderIn = (clone: string, name: string): string | undefined => {
  if (!name.startsWith(SCOPE)) return undefined
  const word = name.slice(SCOPE.length)
  const folders = [
    ...readdirSync(join(clone, 'packages')).map((district) => `packages/${district}/${word}`),
    `plugins/${word}`,
    `presets/${word.replace(/^preset-/, '')}`,
  ]
  return folders.map((folder) => join(clone, folder)).find((folder) => nameIn(folder) === name)
}

/** A folder (absolute) without links, as far as it exists: npm reads a path from there. */
const withoutLinks = (folder: string): string =>
  existsSync(folder) ? realpathSync(folder) : join(withoutLinks(dirname(folder)), basename(folder))

/** Where npm takes packages of vid from. */
export interface PackageOrigin {
  /** What package.json in a folder (absolute) states for a package: a version, or the path of a folder of the clone. */
  readonly stated: (name: string, version: string, folder: string) => string
  /** The command that installs packages, such as `@vid/cli` or `@vid/cli@0.1.0`; those of others stay as they are. */
  readonly install: (...names: readonly string[]) => string
  /** How the command is called where no project has it yet. */
  readonly command: string
  readonly isClone: boolean
}

/** The origin of packages: a clone (absolute), or the registry where there is none. */
export const originFromClone = (clone: string | undefined): PackageOrigin => {
  const folderOf = (name: string) => (clone === undefined ? undefined : folderIn(clone, name))
  const wordOf = (name: string) => {
    const folder = folderOf(name.replace(/(?<=.)@.*$/, ''))
    return folder === undefined ? name : shellWord(folder)
  }
  return {
    stated(name, version, from) {
      const folder = folderOf(name)
      return folder === undefined ? version : `file:${relative(withoutLinks(from), folder).replaceAll(sep, '/')}`
    },
    install: (...names) => ['npm install', ...names.map(wordOf)].join(' '),
    command: clone === undefined ? 'npx @vid/cli' : 'npx vid',
    isClone: clone !== undefined,
  }
}

let origin: PackageOrigin | undefined

/** Where npm takes the packages of vid from that this process runs. */
export const packageOrigin = (): PackageOrigin => {
  origin ??= originFromClone(currentClone())
  return origin
}
