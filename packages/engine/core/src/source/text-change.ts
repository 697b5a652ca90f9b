import type { Element } from './tree.ts'

/** A change of a text: what stands from `start` to `end` is replaced. */
export interface TextChange {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Makes changes that do not overlap; those at one place come in their order. */
export const applyChanges = (text: string, changes: readonly TextChange[]): string => {
  const parts: string[] = []
  let end = 0
  for (const change of changes.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (change.start < end) throw new RangeError(`changes overlap at ${change.start}`)
    parts.push(text.slice(end, change.start), change.text)
    end = change.end
  }
  return parts.join('') + text.slice(end)
}

/** What a parser would take for a character reference, unless the ampersand is one. */
const AMPERSAND = /&(?=[a-z#])/gi

/** A value as it is written between quotes, or without any. */
export const writeAttributeValue = (value: string, quote: '"' | "'" | ''): string => {
  const text = value.replaceAll(AMPERSAND, '&amp;')
  if (quote === '') return text
  return quote === '"' ? text.replaceAll('"', '&quot;') : text.replaceAll("'", '&#39;')
}

const NEEDS_QUOTES = /[\s"'=<>`]|^$/

const quoteFor = (value: string, usual: '"' | "'") =>
  usual === '"' && value.includes('"') && !value.includes("'") ? "'" : usual

/** What stands in the source for a value, with the quotes that stood there before. */
const writtenLike = (before: string, value: string): string => {
  const [, start = '', quote = ''] = /^([^=]*=\s*)(["']?)/s.exec(before) ?? [undefined, `${before}=`, '"']
  const isBare = quote === '' && !NEEDS_QUOTES.test(value)
  const mark = isBare ? '' : (quote || quoteFor(value, '"')) === "'" ? "'" : '"'
  return `${start}${mark}${writeAttributeValue(value, mark)}${mark}`
}

const attributeKey = (element: Element, name: string): string => {
  const attribute = element.attrs.find((other) => other.name === name)
  return (attribute?.prefix ? `${attribute.prefix}:${name}` : name).toLowerCase()
}

/**
 * What writes one attribute of an element into its source, or removes it with null. Quotes and spaces stay as they are.
 * Undefined where the element, or the attribute that it has, is not written in the text.
 */
export const attributeChange = (
  html: string,
  element: Element,
  name: string,
  value: string | null,
): TextChange | undefined => {
  const location = element.sourceCodeLocation
  if (!location) return undefined
  const tag = 'startTag' in location && location.startTag ? location.startTag : location
  const spans = Object.values(location.attrs ?? {}).sort((a, b) => a.startOffset - b.startOffset)
  const span = location.attrs?.[attributeKey(element, name)]
  if (!span) {
    if (value === null || element.attrs.some((attribute) => attribute.name === name)) return undefined
    const last = spans.at(-1)
    const place = last?.endOffset ?? tag.startOffset + html.slice(tag.startOffset).search(/[\s/>]/)
    const before = last ? html.slice(tag.startOffset, last.startOffset) : ''
    const space = before.slice(before.trimEnd().length) || ' '
    const isSingle = last !== undefined && html[last.endOffset - 1] === "'"
    const quote = isSingle ? "'" : quoteFor(value, '"')
    const text = value === '' ? '' : `=${quote}${writeAttributeValue(value, quote)}${quote}`
    return { start: place, end: place, text: `${space}${name}${text}` }
  }
  const { startOffset: start, endOffset: end } = span
  if (value !== null) return { start, end, text: writtenLike(html.slice(start, end), value) }
  const before = html.slice(tag.startOffset, start)
  const space = before.length - before.trimEnd().length
  // Without a space after it, the one before it keeps its neighbours apart.
  return { start: /[\s/>]/.test(html[end] ?? '>') ? start - space : start, end, text: '' }
}
