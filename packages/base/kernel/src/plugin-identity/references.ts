import { readFileSync, statSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, extname, isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digestOf } from '@vid/system'
import { isInstalled } from '../contracts/origin.ts'
import { CODE_EXTENSIONS, type FoundPackage, type Packages } from './packages.ts'

/** What an import means: files that count by their content, of a linked package or not, or an installed package. */
export type ImportTarget =
  | {
      readonly files: readonly string[]
      readonly linked?: FoundPackage
      /** The path in the import, which may lack the extension and may be a link. */
      readonly path?: string
    }
  | { readonly installed: FoundPackage }

/**
 * Whatever can name a file that a module needs. This is deliberately more than a parser would find: a name in a
 * comment costs nothing, a name that was missed would let an edit go unnoticed. Parsing every dialect would need a
 * compiler at each start.
 */
const REFERENCE =
  /(?:from|import|require|URL|resolve)\s*(?:\(\s*)?(?:(?:\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*\n)\s*)*(['"`])([^'"`\n]+)\1/g

const CODE: ReadonlySet<string> = new Set(CODE_EXTENSIONS)
const NOTHING: ImportTarget = { files: [] }

/** Whether a file is a module, by its name. */
export const isCode = (file: string): boolean => CODE.has(extname(file))

/** The names in a module that may mean other files and packages; none in another file. */
const namesIn = (file: string, content: Buffer): readonly string[] => {
  if (!isCode(file)) return []
  // A third of the time that decoding UTF-8 takes; only the names are decoded.
  const matches = content.toString('latin1').matchAll(REFERENCE)
  const names = new Set([...matches].map((match) => match[2] as string))
  return [...names].map((name) => Buffer.from(name, 'latin1').toString('utf8'))
}

/** A file's digest (SHA-256, in hexadecimal), and the names of other files and packages if it is a module. */
export interface CodeText {
  readonly digest: string
  readonly names: readonly string[]
}

/** A file that was written this recently may be written again without another time stamp. */
const SETTLED_MS = 2000

/** Files remembered at most. */
const MAX_REMEMBERED = 10_000

/** By path, with the state that the file had. The process owns them: what a file says depends on no render. */
const remembered = new Map<string, { readonly state: string; readonly text: CodeText }>()

const stateOf = (file: string) => {
  const { ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = statSync(file, { bigint: true })
  const changedMs = Math.max(Number(mtimeMs), Number(ctimeMs))
  return { key: [ino, size, mtimeNs, ctimeNs].join(' '), changedMs }
}

/** Reads a file; one that has not changed since this process read it is not read again. */
export const readCode = (file: string): CodeText => {
  const state = stateOf(file)
  const cached = remembered.get(file)
  if (cached?.state === state.key) return cached.text
  const content = readFileSync(file)
  const text = {
    digest: digestOf(content),
    names: namesIn(file, content),
  }
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  const isSettled = Date.now() - state.changedMs > SETTLED_MS
  if (isSettled && stateOf(file).key === state.key) remembered.set(file, { state: state.key, text })
  return text
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

const existing = (paths: readonly string[], { file }: Packages) => ({
  files: paths.map(file).filter((file) => file !== undefined),
})

const targetAt = (path: string, packages: Packages): ImportTarget => ({ ...existing([path], packages), path })

/** What Node itself makes of a name that is no path and in no folder of packages, such as `#parts`. */
const resolvedByNode = (name: string, from: string, packages: Packages): ImportTarget => {
  try {
    return existing([createRequire(from).resolve(name)], packages)
  } catch {
    return NOTHING
  }
}

/** Finds what a name in a module refers to; no files when it refers to none. */
export const resolveImport = (name: string, from: string, packages: Packages): ImportTarget => {
  if (name.startsWith('./') || name.startsWith('../') || isAbsolute(name))
    return targetAt(resolve(dirname(from), name.replace(/[?#].*$/s, '')), packages)
  if (name.startsWith('file:///')) return targetAt(fileURLToPath(name), packages)
  if (name.includes(':') || isBuiltin(name)) return NOTHING
  if (name.startsWith('#')) return resolvedByNode(name, from, packages)
  const [, packageName, rest = ''] = /^(@[\w.-]+\/[\w.-]+|[\w-][\w.-]*)(\/.*)?$/.exec(name) ?? []
  if (packageName === undefined) return NOTHING
  const entry = packages.named(packageName, from)
  if (!entry) return packages.around(from)?.name === packageName ? resolvedByNode(name, from, packages) : NOTHING
  if (isInstalled(entry.folder)) return { installed: entry }
  return { ...existing(entriesOf(entry, `.${rest}`), packages), linked: entry }
}
