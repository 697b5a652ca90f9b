import { computed, signal } from '@preact/signals'
import { secondsOf } from '@vid/protocol'
import { motionRows, timelineRows } from '../model/clip-rows.ts'
import { timelineScale } from '../model/timeline-scale.ts'
import { composition, frames, rate } from './playback.ts'
import { details } from './project.ts'

/** 0 fits everything, 1 shows single frames. */
export const timelineZoom = signal(0)

/** CSS pixels of the part that scrolls. */
export const timelineWidth = signal(600)

/** CSS pixels that are scrolled away. */
export const timelineScroll = signal(0)

/** Keys of the clips whose own clips are shown. */
export const openClips = signal<ReadonlySet<string>>(new Set())

/** Key of the clip that is described; empty for none. */
export const selectedKey = signal('')

/** Seconds of the whole composition. */
export const length = computed(() => secondsOf(frames.value, rate.value))

/** The rows to draw. */
export const rows = computed(() => [
  ...timelineRows(composition.value?.clips ?? [], details.value?.clips ?? [], {
    duration: length.value,
    openClips: openClips.value,
  }),
  ...motionRows(composition.value?.motions ?? [], length.value),
])

/** How seconds are drawn. */
export const timeScale = computed(() =>
  timelineScale(timelineZoom.value, {
    duration: length.value,
    fps: 1 / secondsOf(1, rate.value),
    width: timelineWidth.value,
  }),
)

/** The clip that is described. */
export const selectedClip = computed(() =>
  rows.value.flatMap(({ clips }) => clips).find(({ key }) => key === selectedKey.value),
)

/** Shows or hides the clips of a clip. */
export const fold = (key: string): void => {
  const next = new Set(openClips.value)
  if (!next.delete(key)) next.add(key)
  openClips.value = next
}
