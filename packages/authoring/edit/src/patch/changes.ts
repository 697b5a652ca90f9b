import { applyChanges, attributeChange, type Element, type TextChange } from '@vid/core/source-model'
import { lineEndOf } from '../source/source-text.ts'
import type { AttributeEdit, CopyEdit, InsertEdit, RelocateEdit, SourceEdit } from './edit.ts'
import { insideOf, textChange } from './text-edit.ts'

interface Span {
  readonly start: number
  readonly end: number
}

const spanOf = ({ sourceCodeLocation: place }: Element): Span | undefined =>
  place ? { start: place.startOffset, end: place.endOffset } : undefined

/** The spaces from the beginning of the line to an offset; undefined when something else stands there. */
export const indentAt = (html: string, offset: number): string | undefined =>
  /(?:^|[\r\n])([^\S\r\n]*)$/.exec(html.slice(Math.max(0, offset - 1000), offset))?.[1]

/** Whether nothing follows on the line. */
const endsLine = (html: string, offset: number): boolean =>
  /^[^\S\r\n]*(?:\r?\n|$)/.test(html.slice(offset, offset + 1000))

/** An element with the line that it would leave empty, from its indent to the line end before it. */
const withLine = (html: string, span: Span): Span => {
  const indent = indentAt(html, span.start)
  if (indent === undefined || !endsLine(html, span.end)) return span
  const lineStart = span.start - indent.length
  const before = html.slice(0, lineStart)
  const lineEnd = before.endsWith('\r\n') ? 2 : before.endsWith('\n') ? 1 : 0
  return { start: lineStart - lineEnd, end: span.end }
}

/** The line end and indent that put an element on a line of its own beside one that stands so; else nothing. */
export const separatorBeside = (html: string, element: Element): string => {
  const indent = indentAt(html, element.sourceCodeLocation?.startOffset ?? 0)
  return indent === undefined ? '' : `${lineEndOf(html)}${indent}`
}

const attribute = (html: string, { element, name, value }: AttributeEdit) => attributeChange(html, element, name, value)

/** The source of an element with edits. */
const sourceWith = (html: string, { start, end }: Span, edits: readonly AttributeEdit[]): string | undefined => {
  const changes = edits.map((edit) => attribute(html, edit))
  if (changes.includes(undefined)) return undefined
  const shifted = (changes as TextChange[]).map((change) => ({
    ...change,
    start: change.start - start,
    end: change.end - start,
  }))
  return applyChanges(html.slice(start, end), shifted)
}

/** The change that puts a text beside an element. */
const beside = (html: string, element: Element, side: 'before' | 'after', text: string): TextChange | undefined => {
  const span = spanOf(element)
  if (!span) return undefined
  const separator = separatorBeside(html, element)
  return side === 'before'
    ? { start: span.start, end: span.start, text: text + separator }
    : { start: span.end, end: span.end, text: separator + text }
}

const copy = (html: string, { element, edits }: CopyEdit): TextChange | undefined => {
  const span = spanOf(element)
  const text = span && sourceWith(html, span, edits)
  return text === undefined ? undefined : beside(html, element, 'after', text)
}

const insert = (html: string, { element, side, markup }: InsertEdit): TextChange | undefined => {
  if (side !== 'end') return beside(html, element, side, markup)
  const place = insideOf(element)?.end
  return place === undefined ? undefined : { start: place, end: place, text: markup }
}

const relocate = (html: string, { element, sibling, side }: RelocateEdit): readonly TextChange[] | undefined => {
  const span = spanOf(element)
  const moved = span && beside(html, sibling, side, html.slice(span.start, span.end))
  return moved && [{ ...withLine(html, span), text: '' }, moved]
}

const listed = (change: TextChange | undefined): readonly TextChange[] | undefined => change && [change]

/** The changes of a text that an edit makes; undefined where the elements are not written in the text. */
export const changesOf = (html: string, edit: SourceEdit): readonly TextChange[] | undefined => {
  switch (edit.kind) {
    case 'raw':
    case 'value':
      return [{ start: edit.start, end: edit.end, text: edit.text }]
    case 'attribute':
      return listed(attribute(html, edit))
    case 'text':
      return listed(textChange(html, edit.element, edit.text))
    case 'remove': {
      const span = spanOf(edit.element)
      return span && [{ ...withLine(html, span), text: '' }]
    }
    case 'insert':
      return listed(insert(html, edit))
    case 'copy':
      return listed(copy(html, edit))
    case 'relocate':
      return relocate(html, edit)
  }
}
