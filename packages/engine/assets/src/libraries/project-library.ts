import { readFile, realpath, stat } from 'node:fs/promises'
import { rethrowMachineFault } from '@vid/protocol'
import { resolveAssetPath } from '../asset-path.ts'
import { hasSameMajor, meetsRange, type OtherVersion, plainRange } from '../library-version.ts'
import { contentTypeOf } from '../server/content-type.ts'
import { type LibraryAddress, parseLibraryAddress } from './library-address.ts'
import { BUNDLED, CATALOGUE } from './library-catalogue.ts'

/** A library of the project's own `node_modules`; `checked` lists the paths, relative to the project, that were read. */
export interface ProjectLibrary {
  readonly checkedPaths: readonly string[]
  /** Left out when the project has no such package, version or file. */
  readonly answer?:
    | {
        readonly path: string
        readonly contentType: string
        readonly source: string
        readonly other?: OtherVersion
      }
    | { readonly redirect: string }
}

interface Manifest {
  readonly version?: unknown
  readonly [field: string]: unknown
}

/** Fields of a manifest that CDNs take the file of a bare address from, in their order. */
const MAIN = ['jsdelivr', 'unpkg', 'browser', 'main']

/** Candidate files, the likeliest first. */
const candidatesOf = ({ name, file, isModule }: LibraryAddress, manifest: Manifest): string[] => {
  const library = Object.hasOwn(CATALOGUE, name) ? CATALOGUE[name] : undefined
  const newPath = (path: string) => (library?.moves ?? []).reduce((text, [from, to]) => text.replace(from, to), path)
  // A module of another package imports by names that no page can resolve.
  const entries = isModule ? [library?.module] : [library?.main, ...MAIN.map((field) => manifest[field])]
  return (file === undefined ? entries : [file, newPath(file)])
    .filter((path) => typeof path === 'string')
    .filter((path) => !path.startsWith(BUNDLED))
    .map((path) => path.replace(/^\.\//, ''))
}

/**
 * Finds the file of a CDN address among the packages of the project's own `node_modules`: in the version that the
 * address requests, or for a library that only a project brings in its major version, and only files whose real path is inside the project.
 */
export const findProjectLibrary = async (projectDir: string, url: string): Promise<ProjectLibrary> => {
  const address = parseLibraryAddress(url)
  if (!address) return { checkedPaths: [] }
  const { name, version, isModule } = address
  const root = await realpath(projectDir)
  const place = async (path: string) => {
    const resolution = await resolveAssetPath(root, `/${path.split('/').map(encodeURIComponent).join('/')}`)
    if (!('file' in resolution)) return undefined
    // Opening a pipe would wait for one who writes to it.
    return (await stat(resolution.file).catch(() => undefined))?.isFile() ? resolution.file : undefined
  }
  const below = `node_modules/${name}`
  const checkedPaths = [`${below}/package.json`]
  const file = await place(`${below}/package.json`)
  const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(rethrowMachineFault)
  if (text === undefined) return { checkedPaths }
  let manifest: Manifest | null
  try {
    manifest = JSON.parse(text) as Manifest | null
  } catch {
    return { checkedPaths }
  }
  if (typeof manifest?.version !== 'string') return { checkedPaths }
  const servedVersion = manifest.version
  const range = version && plainRange(version)
  const isOther = range !== undefined && !meetsRange(range, servedVersion)
  const isProjectOnly = Object.hasOwn(CATALOGUE, name) && CATALOGUE[name]?.isProjectOnly === true
  if (isOther && !(isProjectOnly && hasSameMajor(range, servedVersion))) return { checkedPaths }

  for (const path of candidatesOf(address, manifest)) {
    const source = `${below}/${path}`
    const real = await place(source)
    if (real === undefined || !(await readFile(real).catch(rethrowMachineFault))) continue
    // A module's own relative imports start from its place in the package.
    if (isModule)
      return {
        checkedPaths,
        answer: { redirect: `https://cdn.jsdelivr.net/npm/${name}@${servedVersion}/${path}` },
      }
    const other = isOther ? { other: { name, asked: range, served: servedVersion } } : {}
    return { checkedPaths, answer: { path: real, contentType: contentTypeOf(real), source, ...other } }
  }
  return { checkedPaths }
}
