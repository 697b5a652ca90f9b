import { readFileSync, realpathSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, extname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInstalled } from './origin.ts'
import { type FoundPackage, isFile, type Packages } from './packages.ts'

/** What an import means: files that count by their content, or an installed package. */
export type Target = { readonly files: readonly string[] } | { readonly installed: string }

/**
 * Whatever can name a file that a module needs. This is deliberately more than a parser would find: a name in a
 * comment costs nothing, a name that was missed would let an edit go unnoticed. Parsing every dialect would need a
 * compiler at each start.
 */
const REFERENCE =
  /(?:from|import|require|URL|resolve)\s*(?:\(\s*)?(?:(?:\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*\n)\s*)*(['"`])([^'"`\n]+)\1/g

const CODE = new Set(['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx'])
const EXTENSIONS = [...CODE, '.json']
const NOTHING: Target = { files: [] }

/** Reads a file, with the names of other files and packages if it is a module. */
export const readCode = (file: string): { readonly content: Buffer; readonly names: readonly string[] } => {
  const content = readFileSync(file)
  if (!CODE.has(extname(file))) return { content, names: [] }
  // A third of the time that decoding UTF-8 takes; only the names are decoded.
  const matches = content.toString('latin1').matchAll(REFERENCE)
  const names = new Set([...matches].map((match) => match[2] as string))
  return { content, names: [...names].map((name) => Buffer.from(name, 'latin1').toString('utf8')) }
}

/** A file by the name that an import gives it: TypeScript may be named as the JavaScript made of it. */
const fileAt = (path: string): string | undefined => {
  if (isFile(path)) return realpathSync(path)
  const candidates = [
    ...EXTENSIONS.map((extension) => `${path}${extension}`),
    ...(/\.[mc]?jsx?$/.test(path) ? [path.replace(/js(x?)$/, 'ts$1'), path.replace(/jsx?$/, 'tsx')] : []),
    ...EXTENSIONS.map((extension) => join(path, `index${extension}`)),
  ]
  const found = candidates.find(isFile)
  return found === undefined ? undefined : realpathSync(found)
}

// A checkout that runs from its sources resolves its packages by this condition.
const skipped = new Set(['types', ...(import.meta.url.endsWith('.ts') ? [] : ['development'])])

/** Every file that the exports of a package may mean, whatever the conditions. */
const exportedFiles = (exports: unknown): string[] => {
  if (typeof exports === 'string') return exports.includes('*') ? [] : [exports]
  if (typeof exports !== 'object' || exports === null) return []
  return Object.entries(exports)
    .filter(([key]) => !skipped.has(key))
    .flatMap(([, value]) => exportedFiles(value))
}

const entriesOf = ({ exports, main, folder }: FoundPackage, path: string): string[] => {
  const listed = (exports as Readonly<Record<string, unknown>> | null | undefined)?.[path]
  const exported = exportedFiles(listed ?? exports)
  const named = path === '.' ? [main ?? 'index.js'] : [path]
  return (exported.length > 0 ? exported : named).map((file) => resolve(folder, file))
}

const existing = (paths: readonly string[]): Target => ({
  files: paths.map(fileAt).filter((file) => file !== undefined),
})

/** What Node itself makes of a name that is no path and in no folder of packages, such as `#parts`. */
const resolvedByNode = (name: string, from: string): Target => {
  try {
    return existing([createRequire(from).resolve(name)])
  } catch {
    return NOTHING
  }
}

/** Finds what a name in a module refers to; no files when it refers to none. */
export const targetOf = (name: string, from: string, packages: Packages): Target => {
  if (name.startsWith('./') || name.startsWith('../') || isAbsolute(name))
    return existing([resolve(dirname(from), name.replace(/[?#].*$/, ''))])
  if (name.startsWith('file:///')) return existing([fileURLToPath(name)])
  if (name.includes(':') || isBuiltin(name)) return NOTHING
  if (name.startsWith('#')) return resolvedByNode(name, from)
  const [, packageName, rest = ''] = /^(@[\w.-]+\/[\w.-]+|[\w-][\w.-]*)(\/.*)?$/.exec(name) ?? []
  if (packageName === undefined) return NOTHING
  const found = packages.named(packageName, from)
  if (!found) return packages.around(from)?.name === packageName ? resolvedByNode(name, from) : NOTHING
  if (isInstalled(found.folder)) return { installed: `${found.name}@${found.version}` }
  return existing(entriesOf(found, `.${rest}`))
}
