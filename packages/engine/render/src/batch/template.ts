import type { BatchRow } from '../table/listed-row.ts'

const PLACEHOLDER = /\{([^{}/\\]+)\}/g

/** Names that stand for a value whether the row has it or not; a heading of a table may have any other characters. */
const NAME = /^[A-Za-z0-9_.-]+$/

/** The names in a template of paths. */
export const placeholdersOf = (template: string): ReadonlySet<string> =>
  new Set([...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name))

// Names that some system reserves for devices, whatever their extension.
const DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i

/** A value that cannot be part of a path. */
export interface PathProblem {
  /** Equal for the same mistake with another value. */
  readonly kind: string
  readonly problem: string
}

/** The reason why a text cannot be part of a path; undefined if it can. */
const textProblem = (text: string): string | undefined => {
  if (text.trim() === '') return 'a part of the output path cannot be empty'
  if (/[/\\]/.test(text)) return 'it has a path separator'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'it has a control character'
  if (text.includes('..')) return 'it has ".."'
  if (DEVICE.test(text)) return 'that name is reserved for a device'
  return undefined
}

const problemOf = (name: string, value: unknown): PathProblem | undefined => {
  if (value === undefined) return { kind: `none ${name}`, problem: `it has no "${name}" for the output path` }
  const isPart = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  const reason = isPart ? textProblem(String(value)) : 'a part of the output path is a text, a number or a boolean'
  return reason === undefined
    ? undefined
    : { kind: `${name} ${reason}`, problem: `"${name}" is ${JSON.stringify(value)}: ${reason}` }
}

/** The output path of a row, `{name}` replaced by its values and `{index}` by its number, or what is wrong. */
export const fillTemplate = (
  template: string,
  row: BatchRow,
  index: number,
): { readonly path: string; readonly problems: readonly PathProblem[] } => {
  const valueFor = (name: string) => (name === 'index' ? index : Object.hasOwn(row, name) ? row[name] : undefined)
  const names = [...placeholdersOf(template)].filter((name) => NAME.test(name) || Object.hasOwn(row, name))
  const problems = names.flatMap((name) => problemOf(name, valueFor(name)) ?? [])
  const fill = (whole: string, name: string) => (names.includes(name) ? String(valueFor(name)) : whole)
  return { path: template.replace(PLACEHOLDER, fill), problems }
}
