import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { contentTypeOf } from './asset-server.ts'

/** A file of an installed package that stands in for a CDN address. */
export interface ShelvedLibrary {
  /** Absolute. */
  readonly path: string
  readonly contentType: string
}

/** Libraries that are served from the installed packages, with their entry file and their folder of built files. */
const SHELF = {
  gsap: { main: 'dist/gsap.min.js', dist: 'dist' },
} as const

type Shelved = keyof typeof SHELF

/** How each CDN writes package, version and file; a missing file means the package's entry. */
const ADDRESSES: readonly {
  readonly host: string
  readonly path: RegExp
  readonly below: 'package' | 'dist'
}[] = [
  {
    host: 'cdn.jsdelivr.net',
    path: /^\/npm\/(?<name>[\w.-]+)(?:@(?<version>[^/]+))?(?:\/(?<file>.+))?$/,
    below: 'package',
  },
  {
    host: 'unpkg.com',
    path: /^\/(?<name>[\w.-]+)(?:@(?<version>[^/]+))?(?:\/(?<file>.+))?$/,
    below: 'package',
  },
  {
    host: 'cdnjs.cloudflare.com',
    path: /^\/ajax\/libs\/(?<name>[\w.-]+)\/(?<version>[^/]+)\/(?<file>.+)$/,
    below: 'dist',
  },
]

const isShelved = (name: string | undefined): name is Shelved =>
  name !== undefined && Object.hasOwn(SHELF, name)

const packageDir = (name: Shelved): string =>
  dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))

/** The installed file for a known CDN address; the asked version is ignored in favour of the installed one. */
export const resolveLibrary = (url: string): ShelvedLibrary | undefined => {
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, port, pathname } = new URL(url)
  if (!/^https?:$/.test(protocol) || port !== '') return undefined
  const address = ADDRESSES.find((each) => each.host === hostname)
  const groups = address?.path.exec(pathname)?.groups
  const name = groups?.name
  if (address === undefined || groups === undefined || !isShelved(name)) return undefined
  const root = packageDir(name)
  const { main, dist } = SHELF[name]
  const file = groups.file
  const wanted = file === undefined ? main : address.below === 'dist' ? `${dist}/${file}` : file
  const path = join(root, wanted)
  if (!path.startsWith(root + sep) || !existsSync(path)) return undefined
  return { path, contentType: contentTypeOf(path) }
}
