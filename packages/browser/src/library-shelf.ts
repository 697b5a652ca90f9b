import { statSync } from 'node:fs'
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

const require = createRequire(import.meta.url)

/** Whether a range such as `latest`, `3`, `^3.12.5` or none is met by the installed major version. */
const isSameMajor = (range: string | undefined, installed: string): boolean => {
  if (range === undefined || range === 'latest') return true
  return /^(?:[~^]|%5e)?v?(\d+)(?:\.|$)/i.exec(range)?.[1] === installed.split('.')[0]
}

/** The installed file for a known CDN address that asks for the same major version. */
export const resolveLibrary = (url: string): ShelvedLibrary | undefined => {
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, port, pathname } = new URL(url)
  if (!/^https?:$/.test(protocol) || port !== '') return undefined
  const address = ADDRESSES.find((each) => each.host === hostname)
  const groups = address?.path.exec(pathname)?.groups
  const name = groups?.name
  if (address === undefined || groups === undefined || !isShelved(name)) return undefined
  const manifest = require.resolve(`${name}/package.json`)
  if (!isSameMajor(groups.version, (require(manifest) as { version: string }).version)) return undefined
  const root = dirname(manifest)
  const { main, dist } = SHELF[name]
  const file = groups.file
  const wanted = file === undefined ? main : address.below === 'dist' ? `${dist}/${file}` : file
  const path = join(root, wanted)
  if (!path.startsWith(root + sep) || !statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
  return { path, contentType: contentTypeOf(path) }
}
