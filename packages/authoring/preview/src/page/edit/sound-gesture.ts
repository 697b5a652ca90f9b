import { signal } from '@preact/signals'
import type { Operation } from '../../edit-api.ts'
import type { TimelineClip } from '../model/clip-rows.ts'
import { editable } from './clip-edits.ts'
import { type EditableClip, targetOf } from './clip-target.ts'
import { pictureFollows } from './edit-session.ts'
import { stageClips } from './fresh-clips.ts'
import { guardClick, type Press, trackPointer } from './track-pointer.ts'

/** What of a clip's sound is dragged: its volume, or the length of a fade in seconds. */
export type SoundHandle = 'volume' | 'fadeIn' | 'fadeOut'

/** A value that is dragged, until what is staged has it. */
export interface SoundGesture {
  readonly key: string
  readonly part: SoundHandle
  readonly value: number
}

/** The gesture that goes on; null for none. */
export const soundGesture = signal<SoundGesture | null>(null)

const operationOf = (part: SoundHandle, target: ReturnType<typeof targetOf>, value: number): Operation => {
  if (part === 'volume') return { op: 'volume', target, volume: value }
  return part === 'fadeIn' ? { op: 'fade', target, in: value } : { op: 'fade', target, out: value }
}

/** Drags a part of a clip's sound; `valueAt` is its value after a distance in CSS pixels. */
export const dragSound = (
  press: Press,
  clip: TimelineClip,
  part: SoundHandle,
  valueAt: (distance: { readonly x: number; readonly y: number }) => number,
): void => {
  press.stopPropagation()
  if (press.button !== 0 || !press.isPrimary) return
  const { clientX, clientY, currentTarget } = press
  trackPointer(press, {
    move({ clientX: x, clientY: y }) {
      const value = Math.round(valueAt({ x: x - clientX, y: y - clientY }) * 100) / 100
      soundGesture.value = { key: clip.key, part, value }
    },
    async release() {
      const settling = soundGesture.value
      if (settling) guardClick(currentTarget)
      try {
        if (!settling) return
        const operations = (clips: readonly EditableClip[]) =>
          clips.map(({ facts }) => operationOf(part, targetOf(facts), settling.value))
        if (await stageClips({ clips: editable([clip]), operations })) await pictureFollows()
      } finally {
        if (soundGesture.value === settling) soundGesture.value = null
      }
    },
    cancel() {
      soundGesture.value = null
    },
  })
}
