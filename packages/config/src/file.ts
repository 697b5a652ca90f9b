import { readFile } from 'node:fs/promises'
import { basename, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describeCause, isTooDeep, MAX_NESTING, schemaProblems } from '@vid/kernel'
import { cosmiconfig } from 'cosmiconfig'
import { JsonConfigSchema, type VidConfig } from './define.ts'
import { fail } from './errors.ts'
import { shapeProblems } from './shape.ts'

/** A config file that was found. */
export interface ConfigFile {
  /** Absolute path. */
  readonly file: string
  readonly config: VidConfig
}

/** The default export of a module; in an object, since a file without one would count as no file at all. */
interface Exported {
  readonly exported: unknown
}

// jiti, because cosmiconfig's own TypeScript loader cannot work with the native compiler. Its cache of
// transpiled code is off: it would lie in the temp folder that all users share.
const loadTypeScript = async (file: string): Promise<Exported> => {
  const { createJiti } = await import('jiti')
  const module: { default?: unknown } = await createJiti(import.meta.url, { fsCache: false }).import(file)
  return { exported: await module.default }
}
const loadModule = async (file: string): Promise<Exported> => {
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    return { exported: await module.default }
  } catch (thrown) {
    // A caught syntax error does not have a position; jiti's does.
    if (thrown instanceof SyntaxError) return loadTypeScript(file)
    throw thrown
  }
}

const places = ['ts', 'mts', 'js', 'mjs', 'json'].map((extension) => `vid.config.${extension}`)
/** Line of the first place in the file that an error mentions, by its stack, its message or a position. */
const lineIn = async (file: string, thrown: unknown): Promise<number | undefined> => {
  const text = thrown instanceof Error ? `${thrown.message}\n${thrown.stack}` : String(thrown)
  const position = /at position (\d+)/.exec(text)?.[1]
  if (position !== undefined)
    return (await readFile(file, 'utf8')).slice(0, Number(position)).split('\n').length
  const name = basename(file).replaceAll('.', '\\.')
  const found =
    new RegExp(`${name}[^\\n]*?[:(](\\d+)(?::\\d+|\\n|$)`).exec(text) ??
    /[Ll]ine (\d+)|\((\d+):\d+\)/.exec(text)
  return found ? Number(found[1] ?? found[2]) : undefined
}

/** A clearer problem for a list of formats; any other problem is returned unchanged. */
const formatProblem = (config: unknown, problem: string): string => {
  const { format } = (config as { render: { format: unknown } }).render
  if (!Array.isArray(format)) return problem
  const outputs = format.map((each) => `{ format: ${JSON.stringify(each)} }`).join(', ')
  return `render.format is one format; for several, write render.outputs: [${outputs}] instead`
}
/** Looks for a config file in `from` and the folders above it. */
export const findConfigFile = async (from: string): Promise<ConfigFile | undefined> => {
  let opened = from
  // A module may throw what cannot carry the path of its file, such as null.
  const noted = (load: (file: string) => Promise<Exported>) => (file: string) => {
    opened = file
    return load(file)
  }
  // Node itself cannot import TypeScript in every version that this runs on.
  const [typescript, module] = [noted(loadTypeScript), noted(loadModule)]
  const explorer = cosmiconfig('vid', {
    searchPlaces: places,
    searchStrategy: 'global',
    loaders: { '.ts': typescript, '.mts': typescript, '.js': module, '.mjs': module },
  })
  const found = await explorer.search(from).catch(async (thrown: unknown) => {
    const file = (thrown as { filepath?: string } | null)?.filepath ?? opened
    throw fail(
      'VID_CONFIG_BROKEN',
      {
        file: relative(process.cwd(), file) || file,
        line: await lineIn(file, thrown),
        reason: firstLine(thrown),
      },
      { cause: thrown },
    )
  })
  if (!found) return undefined
  const file = relative(process.cwd(), found.filepath)
  const isJson = found.filepath.endsWith('.json')
  const config: unknown = isJson ? (found.config ?? {}) : (found.config as Exported).exported
  // Cyclic objects count as well; plugins may hold those, JSON and settings may not.
  const data = isJson ? config : (config as { readonly render?: unknown } | undefined)?.render
  if (isTooDeep(data))
    throw fail('VID_CONFIG_INVALID', {
      file,
      problems: [`its values nest deeper than ${MAX_NESTING} levels`],
    })
  const problems = isJson ? schemaProblems(JsonConfigSchema, config) : shapeProblems(config)
  const named = problems.map((each) =>
    each.startsWith('render.format ') ? formatProblem(config, each) : each,
  )
  if (named.length > 0) throw fail('VID_CONFIG_INVALID', { file, problems: named })
  return { file: found.filepath, config: config as VidConfig }
}

const firstLine = (thrown: unknown) => describeCause(thrown).split('\n')[0] ?? ''
