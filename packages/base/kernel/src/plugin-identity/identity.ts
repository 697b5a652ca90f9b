import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { digestOf } from '@vid/system'
import { isInstalled, originOf } from '../contracts/origin.ts'
import type { PluginIdentity } from '../contracts/plugin.ts'
import { createPackages, type FoundPackage, type Packages } from './packages.ts'
import { type ImportTarget, readCode, resolveImport } from './references.ts'

/** A file of a plugin: its digest, and what it refers to. */
interface CodeFile {
  readonly digest: string
  readonly references: readonly (readonly [name: string, target: ImportTarget])[]
}
type Reader = ReturnType<typeof createReader>

const versionOf = ({ name, version }: FoundPackage) => `${name}@${version}`

/** Reads each file once, for plugins that share some. */
const createReader = () => {
  const packages: Packages = createPackages()
  const files = new Map<string, CodeFile>()
  const read = (path: string): CodeFile => {
    const { digest, names } = readCode(path)
    const references = names.map((name) => [name, resolveImport(name, path, packages)] as const)
    return { digest, references }
  }
  return {
    packages,
    file(path: string): CodeFile {
      const file = files.get(path) ?? read(path)
      files.set(path, file)
      return file
    },
  }
}

/** A digest of files and all that they import. It holds no path: files are numbered in the order of their discovery. */
const digestFiles = (roots: readonly string[], reader: Reader): string => {
  const files = [...roots]
  const numbers = new Map(files.map((path, number) => [path, number]))
  const numberOf = (path: string) => {
    const number = numbers.get(path) ?? files.push(path) - 1
    numbers.set(path, number)
    return number
  }
  const parts: unknown[] = []
  // The list grows while it is read.
  for (const path of files) {
    const installed = isInstalled(path) ? reader.packages.around(path) : undefined
    if (installed) {
      parts.push(versionOf(installed))
      continue
    }
    const { digest, references } = reader.file(path)
    const links = references.map(([name, target]) =>
      'installed' in target ? [name, versionOf(target.installed)] : [name, ...target.files.map(numberOf)],
    )
    parts.push([digest, links.filter((link) => link.length > 1)])
  }
  const [only] = parts
  return parts.length === 1 && typeof only === 'string' ? only : digestOf(JSON.stringify(parts))
}

/**
 * By definition, for as long as the process has it: the code of a module that is loaded does not change any more, even if
 * its file does.
 */
const identities = new WeakMap<object, string>()

const isGone = (thrown: unknown) =>
  ['ENOENT', 'ENOTDIR'].includes(String((thrown as NodeJS.ErrnoException | null)?.code))

const identify = (files: readonly string[], reader: Reader): string => {
  try {
    return digestFiles(
      files.map((file) => realpathSync(file)),
      reader,
    )
  } catch (thrown) {
    // Evaluated from a text that is no file.
    if (isGone(thrown)) return randomUUID()
    throw thrown
  }
}

/** The identity of a plugin's code: `name@version` when it is installed, else a digest of its files. */
export type CodeIdentity = (plugin: PluginIdentity) => string

/** Identifies the code of plugins, before their files are edited. */
export const identifyCode = (plugins: readonly PluginIdentity[]): CodeIdentity => {
  const reader = createReader()
  const identityOf: CodeIdentity = (plugin) => {
    const origin = originOf(plugin)
    const owner = origin?.definition ?? plugin
    // Without a known origin nothing proves that two of a name are the same, except that they are one object.
    const identity = identities.get(owner) ?? (origin?.files.length ? identify(origin.files, reader) : randomUUID())
    identities.set(owner, identity)
    return identity
  }
  for (const plugin of plugins) identityOf(plugin)
  return identityOf
}
