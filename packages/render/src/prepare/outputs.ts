import { realpath, stat } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { failRender, foreignEntry, type PluginOf, type Warning } from '@vid/kernel'
import { fail } from '../errors.ts'
import type { WantedOutput } from './settings.ts'

type Encoder = PluginOf<'encoder'>

/** One file of a render. */
export interface Output {
  readonly format: string
  /** Absolute. */
  readonly path: string
}

const extensionOf = ({ extension }: Encoder, format: string) => extension ?? `.${format}`

/** A path without the extension of a known format, so that each output can add its own. */
const withoutExtension = (path: string, encoders: readonly Encoder[]) => {
  const extension = encoders
    .flatMap((encoder) => [encoder.extension ?? '', ...encoder.formats.map((format) => `.${format}`)])
    .find((known) => known !== '' && path.toLowerCase().endsWith(known))
  return extension === undefined ? path : path.slice(0, -extension.length)
}

/** Infers the format from the extension of a path; undefined when no encoder makes files with it. */
export const formatOf = (path: string | undefined, encoders: readonly Encoder[]): string | undefined => {
  const extension = path === undefined ? '' : extname(path).toLowerCase()
  if (extension === '') return undefined
  return encoders
    .filter((encoder) => encoder.extension !== '')
    .flatMap((encoder) => encoder.formats.filter((format) => extensionOf(encoder, format) === extension))[0]
}

/** Refuses a path whose existing content a render of this kind must not replace. */
const checkPlace = async (path: string, shown: string, extension: string, format: string): Promise<void> => {
  const found = await stat(path).catch(() => undefined)
  if (found && !found.isDirectory() && !found.isFile())
    throw fail('VID_OUTPUT_KIND', { path: shown, found: 'a device or a pipe', format })
  const isFolder = found ? found.isDirectory() : shown.endsWith('/') || undefined
  if (isFolder !== undefined && isFolder !== (extension === ''))
    throw fail('VID_OUTPUT_KIND', { path: shown, found: isFolder ? 'a folder' : 'a file', format })
  const foreign = found?.isDirectory() ? await foreignEntry(path) : undefined
  if (foreign !== undefined) throw fail('VID_OUTPUT_FOREIGN', { path: shown, foreign })
}

/** The absolute path of each result: the wanted one, or `renders/<name><extension>`; checked before any work. */
export const chooseOutputs = async (options: {
  readonly wanted: readonly WantedOutput[]
  readonly name: string
  readonly encoders: readonly Encoder[]
  readonly cwd: string
}): Promise<{ readonly outputs: readonly Output[]; readonly warnings: readonly Warning[] }> => {
  const { wanted, name, encoders, cwd } = options
  const known = encoders.flatMap(({ formats }) => formats)
  const warnings: Warning[] = []
  const outputs: Output[] = []
  for (const { format, output } of wanted) {
    const encoder = encoders.find(({ formats }) => formats.includes(format))
    if (!encoder) throw failRender('VID_FORMAT_UNKNOWN', { format, known })
    const extension = extensionOf(encoder, format)
    const isShared = output !== undefined && wanted.filter((other) => other.output === output).length > 1
    const own = isShared ? `${withoutExtension(output, encoders)}${extension}` : output
    const path = resolve(cwd, own ?? join('renders', `${name}${extension}`))
    const taken = outputs.find((other) => other.path === path)
    if (taken) throw fail('VID_OUTPUT_TWICE', { path: own ?? path, formats: [taken.format, format] })
    await checkPlace(path, own ?? path, extension, format)
    const named = extname(path).slice(1).toLowerCase()
    if (`.${named}` !== extension && named !== format && known.includes(named))
      warnings.push({
        code: 'VID_OUTPUT_MISNAMED',
        message: `the output "${own}" will hold ${format}, not ${named}`,
        hint: `choose the format with --format ${named}, or another name`,
      })
    outputs.push({ format, path })
  }
  return { outputs, warnings }
}

/** Refuses an output that would replace the entry file of the composition. */
export const checkNotEntry = async (entry: string, outputs: readonly Output[]): Promise<void> => {
  const real = (path: string) => realpath(path).catch(() => path)
  const composition = await real(entry)
  for (const { path } of outputs)
    if ((await real(path)) === composition) throw fail('VID_OUTPUT_INPUT', { path })
}
