import { attributeOf, descendants, type Element, parseDocument } from '@vid/core/source-model'

/** The pieces of an attribute's source: each a character, a character reference, or a line end. */
const PIECE = /&(?:#x[\da-f]+|#\d+|[a-z][a-z\d]*);?|\r\n|[\s\S]/gi

const cache = new Map<string, string>()

const decode = (reference: string): string => {
  const before = cache.get(reference)
  if (before !== undefined) return before
  const [element] = [...descendants(parseDocument(`<body><i a="${reference}">`))].filter(
    ({ tagName }) => tagName === 'i',
  )
  const text = (element && attributeOf(element, 'a')) ?? reference
  cache.set(reference, text)
  return text
}

/** An attribute's value with the place in the source of each of its characters. */
export interface ValueMap {
  readonly value: string
  readonly quote: '"' | "'" | ''
  /** Offset in the source of a character of the value, or of its end. */
  at(index: number): number
}

/**
 * Maps the value of an attribute to its source. Undefined where it is not written in the text, or where the pieces of the
 * source do not add up to the value.
 */
export const mapValue = (html: string, element: Element, name: string): ValueMap | undefined => {
  const value = attributeOf(element, name)
  const span = element.sourceCodeLocation?.attrs?.[name]
  if (value === null || !span) return undefined
  const source = html.slice(span.startOffset, span.endOffset)
  const [, start = '', quote = ''] = /^([^=]*=\s*)(["']?)/.exec(source) ?? []
  if (start === '') return undefined
  const first = span.startOffset + start.length + quote.length
  const inner = html.slice(first, span.endOffset - quote.length)
  const places: number[] = []
  let text = ''
  for (const match of inner.matchAll(PIECE)) {
    const piece =
      match[0] === '\r\n' || match[0] === '\r' ? '\n' : match[0].startsWith('&') ? decode(match[0]) : match[0]
    for (let index = 0; index < piece.length; index += 1) places.push(first + match.index)
    text += piece
  }
  places.push(first + inner.length)
  if (text !== value) return undefined
  return { value, quote: quote as '"' | "'" | '', at: (index) => places[index] ?? first + inner.length }
}
