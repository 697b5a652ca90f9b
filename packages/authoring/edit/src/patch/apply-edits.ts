import { applyChanges, labelOf, lineOf, parseScript, parseSheet, type TextChange } from '@vid/core/source-model'
import { fail } from '../errors.ts'
import { changesOf } from './changes.ts'
import type { SourceEdit } from './edit.ts'
import { isAsExpected } from './expected.ts'
import { followedOffset, type Relocation } from './followed-offset.ts'
import { isWellNested } from './nesting.ts'

/** Whether a style sheet or a script of its replacements can still be read. */
const isReadable = (file: string, text: string): boolean => {
  try {
    if (/\.css$/i.test(file)) parseSheet(text)
    else parseScript(text, 'module')
    return true
  } catch {
    return false
  }
}

/** Writes a change with the line ends of Windows where a text has no others. */
const likeText = (text: string) => {
  const isOfWindows = text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text)
  return (change: TextChange): TextChange =>
    isOfWindows ? { ...change, text: change.text.replaceAll(/\r\n|\r|\n/g, '\r\n') } : change
}

/** A text after edits. */
export interface EditedText {
  readonly text: string
  /** Where an element begins, by where it began before; undefined for one that is gone. */
  offsetAfter(offset: number): number | undefined
}

/** Where an edit writes its element again, at another place. */
const relocationOf = (edit: SourceEdit, changes: readonly TextChange[]): readonly Relocation[] => {
  const change = changes.at(-1)
  const place = edit.element?.sourceCodeLocation
  if (edit.kind !== 'relocate' || !change || !place) return []
  const { startOffset: start, endOffset: end } = place
  return [{ start, end, change, lead: edit.side === 'after' ? change.text.length - (end - start) : 0 }]
}

/** The text of a file after edits; VID_EDIT_MALFORMED where they would change more than they are about. */
export const applyEdits = (file: string, text: string, edits: readonly SourceEdit[]): EditedText => {
  const [first] = edits
  if (!first) return { text, offsetAfter: (offset) => offset }
  const malformed = (edit: SourceEdit) =>
    fail('VID_EDIT_MALFORMED', {
      element: edit.element ? labelOf(edit.element) : file,
      file,
      line: edit.element ? lineOf(edit.element) : 1,
    })
  const changes: TextChange[] = []
  const relocations: Relocation[] = []
  for (const edit of edits) {
    if (edit.element && edit.kind !== 'raw' && !isWellNested(text, edit.element)) throw malformed(edit)
    const replacements = changesOf(text, edit)?.map(likeText(text))
    if (!replacements) throw malformed(edit)
    changes.push(...replacements)
    relocations.push(...relocationOf(edit, replacements))
  }
  let after: string
  try {
    after = applyChanges(text, changes)
  } catch (cause) {
    if (cause instanceof RangeError) throw malformed(first)
    throw cause
  }
  const isWhole = edits.every(({ element }) => element === null)
  if (isWhole ? !isReadable(file, after) : !isAsExpected(text, after, edits)) throw malformed(first)
  return { text: after, offsetAfter: (offset) => followedOffset(changes, relocations, offset) }
}
