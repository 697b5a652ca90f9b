import { applyChanges, attributeChange, type Element, type TextChange } from '@vid/core/source-model'
import { lineEndOf } from '../source/source-text.ts'
import type { AttributeEdit, CopyEdit, RelocateEdit, SourceEdit } from './edit.ts'
import { insideOf, textChange } from './text-edit.ts'

interface Span {
  readonly start: number
  readonly end: number
}

const spanOf = ({ sourceCodeLocation: place }: Element): Span | undefined =>
  place ? { start: place.startOffset, end: place.endOffset } : undefined

/** The spaces from the beginning of the line to an offset; undefined when something else stands there. */
const indentAt = (html: string, offset: number): string | undefined =>
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

const copy = (html: string, { element, edits }: CopyEdit): readonly TextChange[] | undefined => {
  const span = spanOf(element)
  const text = span && sourceWith(html, span, edits)
  if (!span || text === undefined) return undefined
  return [{ start: span.end, end: span.end, text: separatorBeside(html, element) + text }]
}

const relocate = (html: string, { element, sibling, side }: RelocateEdit): readonly TextChange[] | undefined => {
  const span = spanOf(element)
  const target = spanOf(sibling)
  if (!span || !target) return undefined
  const line = withLine(html, span)
  const text = html.slice(span.start, span.end)
  const separator = separatorBeside(html, sibling)
  const place = side === 'before' ? target.start : target.end
  const moved = side === 'before' ? text + separator : separator + text
  return [
    { ...line, text: '' },
    { start: place, end: place, text: moved },
  ]
}

/** The changes of a text that an edit makes; undefined where the elements are not written in the text. */
export const changesOf = (html: string, edit: SourceEdit): readonly TextChange[] | undefined => {
  switch (edit.kind) {
    case 'raw':
    case 'value':
      return [{ start: edit.start, end: edit.end, text: edit.text }]
    case 'attribute': {
      const change = attribute(html, edit)
      return change && [change]
    }
    case 'text': {
      const change = textChange(html, edit.element, edit.text)
      return change && [change]
    }
    case 'remove': {
      const span = spanOf(edit.element)
      return span && [{ ...withLine(html, span), text: '' }]
    }
    case 'append': {
      const place = insideOf(edit.element)?.end
      return place === undefined ? undefined : [{ start: place, end: place, text: edit.markup }]
    }
    case 'copy':
      return copy(html, edit)
    case 'relocate':
      return relocate(html, edit)
  }
}
