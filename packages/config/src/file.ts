import { readFile } from 'node:fs/promises'
import { basename, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describeCause, schemaProblems } from '@vid/kernel'
import { cosmiconfig } from 'cosmiconfig'
import { JsonConfigSchema, RenderDefaultsSchema, type VidConfig } from './define.ts'
import { fail } from './errors.ts'

/** A config file that was found. */
export interface ConfigFile {
  /** Absolute path. */
  readonly file: string
  readonly config: VidConfig
}

// jiti, because cosmiconfig's own TypeScript loader cannot work with the native compiler. Its cache of
// transpiled code is off: it would lie in the temp folder that all users share.
const loadTypeScript = async (file: string): Promise<unknown> => {
  const { createJiti } = await import('jiti')
  return createJiti(import.meta.url, { fsCache: false }).import(file, { default: true })
}
const loadModule = async (file: string): Promise<unknown> => {
  try {
    return ((await import(pathToFileURL(file).href)) as { default?: unknown }).default
  } catch (thrown) {
    // A caught syntax error does not have a position; jiti's does.
    if (thrown instanceof SyntaxError) return loadTypeScript(file)
    throw thrown
  }
}

const places = ['ts', 'mts', 'js', 'mjs', 'json'].map((extension) => `vid.config.${extension}`)
const slots = [
  'presets',
  'preset',
  'capture',
  'encoders',
  'store',
  'targets',
  'target',
  'deliveries',
  'plugins',
  'render',
]
const lists = ['presets', 'encoders', 'deliveries', 'plugins']

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

const shapeProblems = (config: unknown): string[] => {
  if (typeof config !== 'object' || config === null) return ['it must export an object as its default']
  const record = config as Record<string, unknown>
  return [
    ...Object.keys(record)
      .filter((key) => !slots.includes(key))
      .map((key) => `unknown key "${key}"; known: ${slots.join(', ')}`),
    ...lists
      .filter((key) => key in record && !Array.isArray(record[key]))
      .map((key) => `${key} must be a list`),
    ...Object.keys(record.render ?? {})
      .filter((key) => key !== 'variables' && !Object.hasOwn(RenderDefaultsSchema.properties, key))
      .map((key) => `render.${key} is not a setting; known: ${knownSettings}`),
    ...schemaProblems(RenderDefaultsSchema, omitVariables(record.render ?? {})).map(
      (problem) => `render.${problem}`,
    ),
  ]
}
/** A clearer problem for a list of formats; any other problem is returned unchanged. */
const formatProblem = (config: unknown, problem: string): string => {
  const { format } = (config as { render: { format: unknown } }).render
  if (!Array.isArray(format)) return problem
  const outputs = format.map((each) => `{ format: ${JSON.stringify(each)} }`).join(', ')
  return `render.format is one format; for several, write render.outputs: [${outputs}] instead`
}
const knownSettings = [...Object.keys(RenderDefaultsSchema.properties), 'variables'].join(', ')
const omitVariables = (render: unknown) => ({ ...(render as object), variables: undefined }) as unknown

/** Looks for a config file in `from` and the folders above it. */
export const findConfigFile = async (from: string): Promise<ConfigFile | undefined> => {
  let opened = from
  // A module may throw what cannot carry the path of its file, such as null.
  const noted = (load: (file: string) => Promise<unknown>) => (file: string) => {
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
  const problems = found.filepath.endsWith('.json')
    ? schemaProblems(JsonConfigSchema, found.config ?? {})
    : shapeProblems(found.config)
  const named = problems.map((each) =>
    each.startsWith('render.format ') ? formatProblem(found.config, each) : each,
  )
  if (named.length > 0) throw fail('VID_CONFIG_INVALID', { file, problems: named })
  return { file: found.filepath, config: (found.config ?? {}) as VidConfig }
}

const firstLine = (thrown: unknown) => describeCause(thrown).split('\n')[0] ?? ''
