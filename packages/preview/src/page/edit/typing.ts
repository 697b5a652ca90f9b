import { signal } from '@preact/signals'
import type { Point } from '../model/placement.ts'
import { type Subject, selectedSubject } from './inspection.ts'
import { pick, selectedBox } from './picture.ts'

/** The element whose text is edited on the picture; null for none. */
export const typing = signal<Subject | null>(null)

/** Whether a text field is to have the keyboard, and has it not yet: what is typed is meant for it. */
export const isFieldAwaited = signal(false)

/** Edits the text of what is at a point of the picture. */
export const typeAt = async (point: Point): Promise<void> => {
  isFieldAwaited.value = true
  const isPicked = await pick(point)
  const isShown = isPicked && selectedBox.value !== null
  // The field has the keyboard once it is there.
  if (isShown) typing.value = selectedSubject.value
  if (!isShown) isFieldAwaited.value = false
}
