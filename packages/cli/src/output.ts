import { stat } from 'node:fs/promises'
import { extname, join, relative, resolve } from 'node:path'
import { foreignEntry, type PluginOf, type Warning } from '@vid/kernel'
import { fail } from './errors.ts'

const standardFormats = ['mp4', 'mov', 'webm', 'gif', 'png-sequence']

/** A path without the extension of a known format, so that each output can add its own. */
const bareName = (path: string, extensions: readonly string[]) => {
  const extension = extensions.find((known) => known !== '' && path.toLowerCase().endsWith(known))
  return extension === undefined ? path : path.slice(0, -extension.length)
}

/** The format that the suffix of a path names; undefined when it names none, or several encoders make it. */
export const formatOf = (
  path: string | undefined,
  encoders: readonly PluginOf<'encoder'>[],
): string | undefined => {
  const suffix = path === undefined ? '' : extname(path).toLowerCase()
  return suffix === ''
    ? undefined
    : encoders
        .filter(({ extension }) => extension !== '')
        .flatMap(({ formats, extension }) =>
          formats.filter((format) => (extension ?? `.${format}`) === suffix),
        )[0]
}

export interface Output {
  readonly format: string
  /** Absolute. */
  readonly path: string
}

/** One output, with the path that the user wants for it or for all of them. */
export interface WantedOutput {
  readonly format: string
  readonly output?: string | undefined
}

/** The absolute path of each result: the wanted one, or `renders/<name><extension>`; checked before any work. */
export const chooseOutputs = async (options: {
  readonly wanted: readonly WantedOutput[]
  readonly name: string
  readonly encoders: readonly PluginOf<'encoder'>[]
  readonly cwd: string
}): Promise<{ readonly outputs: readonly Output[]; readonly warnings: readonly Warning[] }> => {
  const { wanted, name, encoders, cwd } = options
  const known = encoders.flatMap(({ formats }) => formats)
  const warnings: Warning[] = []
  const outputs: Output[] = []
  for (const { format, output } of wanted) {
    const encoder = encoders.find(({ formats }) => formats.includes(format))
    if (!encoder && standardFormats.includes(format))
      throw fail('VID_FORMAT_PACKAGE', { format, package: `@vid/encoder-${format}`, known })
    const extension = encoder?.extension ?? `.${format}`
    const shared = output !== undefined && wanted.filter((other) => other.output === output).length > 1
    const extensions = [...encoders.map((each) => each.extension ?? ''), ...known.map((each) => `.${each}`)]
    const own = shared ? `${bareName(output, extensions)}${extension}` : output
    const path = resolve(cwd, own ?? join('renders', `${name}${extension}`))
    const taken = outputs.find((other) => other.path === path)
    if (taken) throw fail('VID_OUTPUT_TWICE', { path: own ?? path, formats: [taken.format, format] })
    const found = await stat(path).catch(() => undefined)
    const isFolder = found ? found.isDirectory() : own?.endsWith('/') || undefined
    if (isFolder !== undefined && isFolder !== (extension === ''))
      throw fail('VID_OUTPUT_KIND', { path: own ?? path, found: isFolder ? 'a folder' : 'a file', format })
    const foreign = found?.isDirectory() ? await foreignEntry(path) : undefined
    if (foreign !== undefined) throw fail('VID_OUTPUT_FOREIGN', { path: own ?? path, foreign })
    const named = extname(path).slice(1).toLowerCase()
    if (`.${named}` !== extension && named !== format && [...standardFormats, ...known].includes(named))
      warnings.push({
        code: 'VID_OUTPUT_MISNAMED',
        message: `the output "${own}" will hold ${format}, not ${named}`,
        hint: `choose the format with --format ${named}, or another name`,
      })
    outputs.push({ format, path })
  }
  return { outputs, warnings }
}

/** The path as a person would write it: relative when it lies below the current folder. */
export const shortPath = (path: string, cwd: string): string => {
  const short = relative(cwd, path)
  return short === '' || short.startsWith('..') ? path : short
}

/** A number of bytes for a person. */
export const bytesText = (bytes: number): string =>
  bytes < 1e3
    ? `${bytes} bytes`
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(1)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`
