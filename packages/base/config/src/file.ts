import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { describeCause, isMachineFault, isTooDeep, MAX_NESTING, schemaProblems } from '@vid/protocol'
import { claimCacheFolder } from '@vid/system/cache-folder'
import { JsonConfigSchema, type VidConfig } from './define.ts'
import { fail } from './errors.ts'
import { importModule } from './import-module.ts'
import { searchConfig, shownPath } from './search.ts'
import { shapeProblems } from './shape.ts'

/** A config file that was found. */
export interface ConfigFile {
  /** Absolute path. */
  readonly file: string
  readonly config: VidConfig
  /** Names of files in the same folder that could be meant instead. */
  readonly others: readonly string[]
}

/**
 * The texts of config files when this process loaded them, first and last. A module stays loaded until the process ends;
 * one that was edited since is loaded again, so that a preview has the config that a render would have now.
 */
const texts = new Map<string, { readonly first: string; readonly last: string }>()

/** Distinguishes an edited config file from the one that was loaded first; empty for that one. */
const versionOf = (file: string, text: string): string =>
  text === texts.get(file)?.first ? '' : createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Notes the text that is loaded now, and whether another one was loaded before. */
const noteText = (file: string, text: string): boolean => {
  const { first = text, last = text } = texts.get(file) ?? {}
  texts.set(file, { first, last: text })
  return last !== text
}

/** Loads a TypeScript file; what it is transpiled to is kept in a folder, unless that is false. */
const transpile = async (file: string, isEdited: boolean, fsCache: string | false): Promise<unknown> => {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, { fsCache })
  if (isEdited) delete jiti.cache[file]
  const module: { default?: unknown } = await jiti.import(file)
  // A file that exports nothing would be an empty config.
  return Object.keys(module).length === 0 && !file.endsWith('.cts') ? undefined : module.default
}

const loadTypeScript = async (file: string, isEdited: boolean): Promise<unknown> => {
  // Transpiling takes longer than all else that a small config does. By default, the code would lie in the temp folder,
  // which all users share.
  const folder = (await claimCacheFolder('transpiled-code')) ?? false
  try {
    return await transpile(file, isEdited, folder)
  } catch (thrown) {
    // If the disk is full, the config can be loaded all the same.
    if (folder !== false && isMachineFault(thrown)) return transpile(file, isEdited, false)
    throw thrown
  }
}
const loadModule = async (file: string, text: string, isEdited: boolean): Promise<unknown> => {
  try {
    return await importModule(file, versionOf(file, text))
  } catch (thrown) {
    // A caught syntax error does not have a position; jiti's does.
    if (thrown instanceof SyntaxError) return loadTypeScript(file, isEdited)
    throw thrown
  }
}

/** Line of the first place in the file that an error mentions, by its stack, its message or a position. */
const lineIn = async (file: string, thrown: unknown): Promise<number | undefined> => {
  const text = thrown instanceof Error ? `${thrown.message}\n${thrown.stack}` : String(thrown)
  const position = /at position (\d+)/.exec(text)?.[1]
  if (position !== undefined) return (await readFile(file, 'utf8')).slice(0, Number(position)).split('\n').length
  const name = basename(file).replaceAll('.', '\\.')
  const match =
    new RegExp(`${name}[^\\n]*?[:(](\\d+)(?::\\d+|\\n|$)`).exec(text) ?? /[Ll]ine (\d+)|\((\d+):\d+\)/.exec(text)
  return match ? Number(match[1] ?? match[2]) : undefined
}

/** A clearer problem for a list of formats; any other problem is returned unchanged. */
const formatProblem = (config: unknown, problem: string): string => {
  const { format } = (config as { render: { format: unknown } }).render
  if (!Array.isArray(format)) return problem
  const outputs = format.map((name) => `{ format: ${JSON.stringify(name)} }`).join(', ')
  return `render.format is one format; for several, write render.outputs: [${outputs}] instead`
}

const load = (file: string, text: string): Promise<unknown> | unknown => {
  if (file.endsWith('.json')) return JSON.parse(text)
  const isEdited = noteText(file, text)
  // Node itself cannot import TypeScript in every version that this runs on.
  return file.endsWith('ts') ? loadTypeScript(file, isEdited) : loadModule(file, text, isEdited)
}

/** What is wrong with a loaded config. */
const problemsOf = (config: unknown, isJson: boolean): string[] => {
  // Cyclic objects count as well; plugins may hold those, JSON and settings may not.
  const data = isJson ? config : (config as { readonly render?: unknown } | undefined)?.render
  if (isTooDeep(data)) return [`its values nest deeper than ${MAX_NESTING} levels`]
  const problems = isJson ? schemaProblems(JsonConfigSchema, config) : shapeProblems(config)
  return problems.map((problem) => (problem.startsWith('render.format ') ? formatProblem(config, problem) : problem))
}

/** Looks for a config file in `from` and the folders above it; `named` are the folders that the user has named. */
export const findConfigFile = async (from: string, named: readonly string[]): Promise<ConfigFile | undefined> => {
  const source = await searchConfig(from, named)
  if (!source) return undefined
  const file = shownPath(source.file)
  let config: unknown
  try {
    config = await load(source.file, source.text)
  } catch (thrown) {
    const facts = { file, line: await lineIn(source.file, thrown), reason: firstLine(thrown) }
    throw fail('VID_CONFIG_BROKEN', facts, { cause: thrown })
  }
  const isJson = source.file.endsWith('.json')
  if (isJson) config ??= {}
  const problems = problemsOf(config, isJson)
  if (problems.length > 0) throw fail('VID_CONFIG_INVALID', { file, problems })
  return { file: source.file, config: config as VidConfig, others: source.others }
}

const firstLine = (thrown: unknown) => describeCause(thrown).split('\n')[0] ?? ''
