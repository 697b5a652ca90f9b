import type { Element } from '@vid/core/source-model'
import { lineEndOf } from '../source/source-text.ts'
import { indentAt } from './changes.ts'
import { insideOf } from './text-edit.ts'

/** What a text indents its first inner line with. */
const indentOf = (html: string): string => /(?:^|[\r\n])(\t| {1,8})\S/.exec(html)?.[1] ?? '  '

/** Markup as it is written at the end of an element's content: on a line of its own, where the element begins one. */
export const innerMarkup = (html: string, element: Element, markup: string): string => {
  const inside = insideOf(element)
  const indent = indentAt(html, element.sourceCodeLocation?.startOffset ?? 0)
  if (!inside || indent === undefined) return markup
  const content = html.slice(inside.start, inside.end)
  const lineEnd = lineEndOf(html)
  const [, endIndent] = /(?:^|[\r\n])([^\S\r\n]*)$/.exec(content) ?? []
  const isOnLine = endIndent !== undefined && content !== ''
  if (isOnLine && /[\r\n]/.test(content)) return `${indentOf(html)}${markup}${lineEnd}${endIndent}`
  if (content.trim() !== '') return markup
  return `${lineEnd}${indent}${indentOf(html)}${markup}${lineEnd}${indent}`
}
