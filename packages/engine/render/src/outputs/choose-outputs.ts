import { extname, join, resolve, sep } from 'node:path'
import type { PluginOf } from '@vid/kernel'
import { failRender, type Warning } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { WantedOutput } from '../settings.ts'
import { renderWarning } from '../warnings.ts'
import { placeKey } from './identity.ts'
import { checkPlace, type PlaceRules } from './place.ts'
import { namesOtherKind } from './signatures.ts'

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
    .find((suffix) => suffix !== '' && path.toLowerCase().endsWith(suffix))
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

/** Pattern of an extension, as opposed to the end of a name such as `take 1.5` or `J. Smith`. */
export const EXTENSION = /^(?=.*[a-z])[a-z0-9_-]{1,16}$/

/** Options for checking the names of outputs. */
export interface OutputRules extends Pick<PlaceRules, 'force' | 'inputs' | 'projectDir' | 'isWritten'> {
  /** Whether the caller chose the format, rather than leaving it to the extension. */
  readonly isFormatChosen: boolean
}

/**
 * The problem with an output's extension: an error if only the extension determines the format, otherwise a warning.
 */
export const checkExtension = (
  path: string,
  format: string,
  expected: string,
  extensions: readonly string[],
  isFormatChosen: boolean,
): Warning | undefined => {
  const named = extname(path).slice(1).toLowerCase()
  if (`.${named}` === expected || named === format) return undefined
  const isKnown = extensions.includes(named)
  if (!isKnown && !isFormatChosen && EXTENSION.test(named))
    throw fail('VID_OUTPUT_SUFFIX', { path, extension: named, known: extensions })
  if (!isKnown && !namesOtherKind(named)) return undefined
  const instead = isKnown ? undefined : expected
  return renderWarning('VID_OUTPUT_MISNAMED', { path, format, named, instead })
}

/** Refuses an output at the path of another one, or inside another one's folder. */
const checkApart = (outputs: readonly (Output & { readonly key: string })[]): void => {
  for (const [index, one] of outputs.entries())
    for (const other of outputs.slice(index + 1)) {
      if (one.key === other.key)
        throw fail('VID_OUTPUT_TWICE', { path: other.path, formats: [one.format, other.format] })
      const [outer, inner] = one.key.length < other.key.length ? [one, other] : [other, one]
      if (inner.key.startsWith(outer.key + sep))
        throw fail('VID_OUTPUT_NESTED', { path: inner.path, folder: outer.path })
    }
}

/** The absolute path of each result: the requested one, or `renders/<name><extension>`; checked before any work. */
export const chooseOutputs = async (options: {
  readonly outputs: readonly WantedOutput[]
  readonly name: string
  readonly encoders: readonly Encoder[]
  readonly cwd: string
  readonly rules: OutputRules
}): Promise<{ readonly outputs: readonly Output[]; readonly warnings: readonly Warning[] }> => {
  const { outputs: requested, name, encoders, cwd, rules } = options
  const formats = encoders.flatMap(({ formats }) => formats)
  const warnings: Warning[] = []
  const outputs: (Output & { readonly key: string })[] = []
  for (const { format, output } of requested) {
    const encoder = encoders.find(({ formats }) => formats.includes(format))
    if (!encoder) throw failRender('VID_FORMAT_UNKNOWN', { format, known: formats })
    const extension = extensionOf(encoder, format)
    const isShared = output !== undefined && requested.filter((other) => other.output === output).length > 1
    const target = isShared ? `${withoutExtension(output, encoders)}${extension}` : output
    const path = resolve(cwd, target ?? join('renders', `${name}${extension}`))
    const shown = target ?? path
    await checkPlace(path, shown, { ...rules, format, extension })
    const warning = checkExtension(shown, format, extension, formats, rules.isFormatChosen)
    if (warning) warnings.push(warning)
    outputs.push({ format, path, key: await placeKey(path) })
  }
  checkApart(outputs)
  return { outputs: outputs.map(({ format, path }) => ({ format, path })), warnings }
}
