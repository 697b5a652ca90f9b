import { createScanner, findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser'
import type { SettingsForm } from './assistants.ts'

/** What becomes of settings: the text with the entry, why they stay as they are, or that nothing has to change. */
export type SettingsChange =
  | { readonly kind: 'change'; readonly text: string }
  | { readonly kind: 'same' }
  | { readonly kind: 'keep'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string }

type Form<K extends SettingsForm['kind']> = Extract<SettingsForm, { kind: K }>

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const OTHER_ENTRY = 'it has another entry "vid", which a person wrote'

/** One step of indentation in a JSON text, as its first indented line has it. */
const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '

/** The indentation of the line that an offset is on. */
const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? ''

/** The text up to a comma that follows it, with spaces and comments before that; empty without one. */
const upToComma = (text: string): string => {
  const scanner = createScanner(text, true)
  scanner.scan()
  return scanner.getTokenValue() === ',' ? text.slice(0, scanner.getPosition()) : ''
}

/** Adds a property as the last one of an object, and changes nothing else of the text. */
const addProperty = (text: string, object: Node, name: string, value: unknown): string => {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = unitOf(text)
  const outer = indentAt(text, object.offset)
  const lines = JSON.stringify({ [name]: value }, null, unit)
    .split('\n')
    .slice(1, -1)
  const property = lines.map((line) => `${eol}${outer}${line}`).join('')
  const last = object.children?.at(-1)
  if (!last) return `${text.slice(0, object.offset + 1)}${property}${eol}${outer}${text.slice(object.offset + 1)}`
  const end = last.offset + last.length
  const rest = text.slice(end)
  const comma = upToComma(rest)
  // A comment on the line of the last property stays there.
  const [tail = ''] = /^[ \t]*(?:\/\/.*?|\/\*.*?\*\/[ \t]*)?(?=\r?\n)/.exec(rest.slice(comma.length)) ?? []
  const place = end + comma.length + tail.length
  const [before, after] = comma === '' ? [',', ''] : ['', ',']
  return `${text.slice(0, end)}${before}${text.slice(end, place)}${property}${after}${text.slice(place)}`
}

const changeJson = (text: string, { path, entry }: Form<'json'>): SettingsChange => {
  if (text.trim() === '') {
    const value = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), entry)
    return { kind: 'change', text: `${JSON.stringify(value, null, 2)}\n` }
  }
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const body = text.slice(mark.length)
  const errors: ParseError[] = []
  const tree = parseTree(body, errors, { allowTrailingComma: true })
  if (errors.length > 0 || tree?.type !== 'object') return { kind: 'broken', reason: 'it holds no JSON object' }
  let object = tree
  for (const [depth, name] of path.entries()) {
    const node = findNodeAtLocation(tree, path.slice(0, depth + 1))
    if (!node) {
      const value = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry)
      return { kind: 'change', text: mark + addProperty(body, object, name, value) }
    }
    if (depth === path.length - 1)
      return isEqual(getNodeValue(node), entry) ? { kind: 'same' } : { kind: 'keep', reason: OTHER_ENTRY }
    if (node.type !== 'object') return { kind: 'broken', reason: `"${name}" in it is no object` }
    object = node
  }
  return { kind: 'same' }
}

const changeToml = (text: string, { table, lines }: Form<'toml'>): SettingsChange => {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const all = text.split(/\r?\n/)
  const start = all.findIndex((line) => line.replaceAll(/[\s"']/g, '').startsWith(`[${table}]`))
  if (start >= 0) {
    const end = all.findIndex((line, index) => index > start && /^\s*\[/.test(line))
    const body = all.slice(start + 1, end < 0 ? undefined : end).filter((line) => line.trim() !== '')
    return isEqual(body, lines) ? { kind: 'same' } : { kind: 'keep', reason: OTHER_ENTRY }
  }
  const before = text === '' ? '' : `${text.trimEnd()}${eol}${eol}`
  return { kind: 'change', text: `${before}[${table}]${eol}${lines.join(eol)}${eol}` }
}

/** Adds the server of vid to the settings of an assistant; everything else in them stays byte for byte. */
export const changeSettings = (text: string, form: SettingsForm): SettingsChange =>
  form.kind === 'json' ? changeJson(text, form) : changeToml(text, form)
