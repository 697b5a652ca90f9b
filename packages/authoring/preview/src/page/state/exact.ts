import { signal } from '@preact/signals'
import { createCapturedFrame } from './captured-frame.ts'

/** How the captured frame is laid over the preview. */
export type ExactView = 'over' | 'wipe' | 'difference'

export const isExactShown = signal(false)

export const exactView = signal<ExactView>('over')

/** Part of the width that shows the captured frame, 0 … 1. */
export const wipe = signal(0.5)

/** The frame as a render of what is staged would have it. */
export const exactFrame = createCapturedFrame({
  state: () => 'staged',
  isWanted: () => isExactShown.value,
  restMs: 250,
})
