import { computed, signal } from '@preact/signals'
import { createCapturedFrame } from '../state/captured-frame.ts'
import { hasOtherState, since } from './changed-frames.ts'

/** Whether the key or the button is held that shows the picture before the changes. */
export const isBeforeHeld = signal(false)

/** Whether that picture is shown, or on its way. */
export const isBeforeShown = computed(() => isBeforeHeld.value && hasOtherState.value)

/** The frame of the state that the composition is compared with. */
export const beforeFrame = createCapturedFrame({
  state: () => since.value,
  isWanted: () => isBeforeShown.value,
  restMs: 0,
})
