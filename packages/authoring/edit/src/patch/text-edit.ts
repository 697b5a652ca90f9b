import { childElements, type Element, type TextChange } from '@vid/core/source-model'
import { lineEndOf } from '../source/source-text.ts'

/** Text as it is written between tags. */
export const writeText = (text: string): string => text.replaceAll(/&(?=[a-z#])/gi, '&amp;').replaceAll('<', '&lt;')

/** Elements without content. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/

/** The offsets between the tags of an element; undefined where it has no start tag or no room for content. */
export const insideOf = (element: Element): { readonly start: number; readonly end: number } | undefined => {
  const place = element.sourceCodeLocation
  if (!place?.startTag || VOID.test(element.tagName)) return undefined
  return { start: place.startTag.endOffset, end: place.endTag?.startOffset ?? place.endOffset }
}

/** The spaces around a text; those of nothing but spaces count as before it. */
const edgesOf = (text: string): { readonly before: string; readonly after: string } => {
  const isBlank = text.trim() === ''
  return {
    before: isBlank ? '' : (/^\s*/.exec(text)?.[0] ?? ''),
    after: isBlank ? '' : text.slice(text.trimEnd().length),
  }
}

const LINE_END = /\r\n|\n|\r/

/** A text in lines, where an element divides them by `<br>`; else in one piece. */
export const linesBetweenBreaks = (element: Element, text: string): readonly string[] =>
  childElements(element).length > 0 ? text.split(LINE_END) : [text.replaceAll(/\r\n|\r/g, '\n')]

/** What writes another text into an element; spaces at its edges stay. */
export const textChange = (html: string, element: Element, text: string): TextChange | undefined => {
  const inside = insideOf(element)
  if (!inside) return undefined
  const written = html.slice(inside.start, inside.end)
  const { before, after } = edgesOf(written)
  const mark = /<br\s*\/?>/i.exec(written)?.[0] ?? '<br>'
  const lines = linesBetweenBreaks(element, text).map((line) => writeText(line).replaceAll('\n', lineEndOf(html)))
  return { ...inside, text: `${before}${lines.join(mark)}${after}` }
}
