import { type Element, lineOf } from '@vid/core/source-model'
import type { FileCopy } from '../source/sources.ts'
import type { SourceEdit } from './edit.ts'

/** A place of a source with a sentence about it. */
export interface PlacedText {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** What a note is about. */
export type NoteKind = 'shared' | 'unfollowed' | 'style' | 'script' | 'structure' | 'variable' | 'lint'

/** Something to know before an edit is written. */
export interface EditNote extends PlacedText {
  readonly kind: NoteKind
}

/** What an operation changes: edits of the sources by file, and what its receipt says. */
export interface Plan {
  readonly edits: Map<string, SourceEdit[]>
  readonly copies: Map<string, FileCopy>
  readonly changes: PlacedText[]
  readonly follows: PlacedText[]
  readonly notes: EditNote[]
}

/** A plan without edits. */
export const emptyPlan = (): Plan => ({ edits: new Map(), copies: new Map(), changes: [], follows: [], notes: [] })

/** Adds an edit of a file. */
export const addEdit = (plan: Plan, file: string, edit: SourceEdit): void => {
  plan.edits.set(file, [...(plan.edits.get(file) ?? []), edit])
}

/** Adds an attribute edit and says so in the receipt, as a change or as what follows one. */
export const addAttribute = (
  plan: Plan,
  list: 'changes' | 'follows',
  { file, element }: { readonly file: { readonly file: string }; readonly element: Element },
  [name, value]: readonly [name: string, value: string | null],
  text: string,
): void => {
  addEdit(plan, file.file, { kind: 'attribute', element, name, value })
  plan[list].push({ file: file.file, line: lineOf(element), text })
}

/** Adds a note, unless it was said before. */
export const addNote = (plan: Plan, note: EditNote): void => {
  const isSaid = plan.notes.some(
    ({ file, line, text }) => file === note.file && line === note.line && text === note.text,
  )
  if (!isSaid) plan.notes.push(note)
}
