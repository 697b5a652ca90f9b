import type { BatchRow } from './rows.ts'

const PLACEHOLDER = /\{([A-Za-z0-9_.-]+)\}/g

// Names that some system reserves for devices, whatever their extension.
const DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i

/** The reason why a value cannot be part of a path; undefined if it can. */
const problemOf = (name: string, value: unknown): string | undefined => {
  if (value === undefined) return `it has no "${name}" for the output path`
  const shown = `"${name}" is ${JSON.stringify(value)}`
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return `${shown}: a part of the output path is a text, a number or a boolean`
  const text = String(value)
  if (text.trim() === '') return `${shown}: a part of the output path cannot be empty`
  if (/[/\\]/.test(text)) return `${shown}: it has a path separator`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return `${shown}: it has a control character`
  if (text.includes('..')) return `${shown}: it has ".."`
  if (DEVICE.test(text)) return `${shown}: that name is reserved for a device`
  return undefined
}

/** The output path of a row, `{name}` replaced by its values and `{index}` by its number, or what is wrong. */
export const fillTemplate = (
  template: string,
  row: BatchRow,
  index: number,
): { readonly path: string; readonly problems: readonly string[] } => {
  const valueFor = (name: string) => (name === 'index' ? index : Object.hasOwn(row, name) ? row[name] : undefined)
  const names = [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name))]
  const problems = names.flatMap((name) => problemOf(name, valueFor(name)) ?? [])
  return { path: template.replace(PLACEHOLDER, (_, name: string) => String(valueFor(name))), problems }
}
