import { CATALOGUE } from './library-catalogue.ts'

/** The package, version and file that a CDN address names. */
export interface LibraryAddress {
  readonly name: string
  /** As written: a version, a range or a tag; undefined for the newest. */
  readonly version: string | undefined
  /** Path in the package; undefined for its entry. */
  readonly file: string | undefined
  /** Whether the entry is wanted as an ES module. */
  readonly isModule: boolean
}

type Groups = Readonly<Record<string, string | undefined>>

const NPM = '(?<name>(?:@[\\w.-]+/)?[\\w.-]+)(?:@(?<version>[^/]+))?'

const inPackage =
  (isModule: boolean) =>
  ({ name = '', version, file }: Groups): LibraryAddress => ({ name, version, file, isModule })

const fromCdnjs = ({ name: folder, version, file }: Groups): LibraryAddress | undefined => {
  const entry = Object.entries(CATALOGUE).find(
    ([name, { cdnjs }]) => cdnjs && (cdnjs.name === folder || name === folder),
  )
  const below = entry?.[1].cdnjs?.below
  return entry && { name: entry[0], version, file: `${below}/${file}`, isModule: false }
}

/** The address patterns of each CDN. */
const CDNS: readonly {
  readonly host: string
  readonly path: RegExp
  readonly read: (groups: Groups) => LibraryAddress | undefined
}[] = [
  { host: 'cdn.jsdelivr.net', path: new RegExp(`^/npm/${NPM}/\\+esm$`), read: inPackage(true) },
  { host: 'cdn.jsdelivr.net', path: new RegExp(`^/npm/${NPM}(?:/(?<file>.+)?)?$`), read: inPackage(false) },
  { host: 'unpkg.com', path: new RegExp(`^/${NPM}(?:/(?<file>.+)?)?$`), read: inPackage(false) },
  { host: 'esm.sh', path: new RegExp(`^/${NPM}/?$`), read: inPackage(true) },
  { host: 'cdn.skypack.dev', path: new RegExp(`^/${NPM}/?$`), read: inPackage(true) },
  { host: 'ga.jspm.io', path: new RegExp(`^/npm:${NPM}/(?<file>.+)$`), read: inPackage(false) },
  {
    host: 'cdnjs.cloudflare.com',
    path: /^\/ajax\/libs\/(?<name>[\w.-]+)\/(?<version>[^/]+)\/(?<file>.+)$/,
    read: fromCdnjs,
  },
  {
    host: 'd3js.org',
    path: /^\/d3\.v(?<version>\d+)(?<min>\.min)?\.js$/,
    read: ({ version, min = '' }) => ({ name: 'd3', version, file: `dist/d3${min}.js`, isModule: false }),
  },
]

/** Parses an address of a known CDN; undefined for any other address. */
export const parseLibraryAddress = (url: string): LibraryAddress | undefined => {
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, port, pathname } = new URL(url)
  if (!/^https?:$/.test(protocol) || port !== '') return undefined
  for (const { host, path, read } of CDNS) {
    const groups = host === hostname ? path.exec(pathname)?.groups : undefined
    if (groups) return read(groups)
  }
  return undefined
}
