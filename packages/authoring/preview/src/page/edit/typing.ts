import { computed, signal } from '@preact/signals'
import type { Point } from '../model/placement.ts'
import { isLoading } from '../state/playback.ts'
import { type Subject, selectedSubject } from './inspection.ts'
import { selectAt, selectedBox } from './picture.ts'

/** The element whose text is edited on the picture; null for none. */
export const typing = signal<Subject | null>(null)

/** Double clicks of which it is not known yet what they are on. */
const picks = signal(0)

/** Whether the field of `typing` has not been drawn yet. */
const isOpening = signal(false)

/** Whether a text field is to have the keyboard, and has it not yet: what is typed is meant for it. */
export const isFieldAwaited = computed(
  () =>
    picks.value > 0 ||
    (typing.value !== null &&
      typing.value.key === selectedSubject.value?.key &&
      (isOpening.value || (isLoading.value && selectedBox.value === null))),
)

/** Says that the field has the keyboard. */
export const fieldIsOpen = (): void => {
  isOpening.value = false
}

/** Awaits no field any more. */
export const stopTyping = (): void => {
  typing.value = null
  isOpening.value = false
}

/** Edits the text of what is at a point of the picture. */
export const typeAt = async (point: Point): Promise<void> => {
  picks.value += 1
  const isPicked = await selectAt(point)
  if (isPicked) {
    typing.value = selectedSubject.value
    isOpening.value = true
    // An element that cannot be seen any more has no field.
    requestAnimationFrame(() => requestAnimationFrame(fieldIsOpen))
  }
  picks.value -= 1
}
