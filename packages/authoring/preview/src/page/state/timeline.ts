import { computed, signal } from '@preact/signals'
import { secondsOf } from '@vid/protocol'
import { motionRows, timelineRows } from '../model/clip-rows.ts'
import { timelineScale } from '../model/timeline-scale.ts'
import { timelinePanel } from './panels.ts'
import { frame, frames, rate, reportedComposition } from './playback.ts'
import { details } from './project.ts'
import { stagedTree } from './staged.ts'

/** 0 fits everything, 1 shows single frames. */
export const timelineZoom = signal(0)

/** CSS pixels of the part that scrolls. */
export const timelineWidth = signal(600)

/** CSS pixels that are scrolled away. */
export const timelineScroll = signal(0)

/** Keys of the clips whose own clips are shown. */
export const openClips = signal<ReadonlySet<string>>(new Set())

/** Keys of the clips that are selected; the last one is described. */
export const selectedKeys = signal<readonly string[]>([])

/** Seconds of the whole composition. */
export const length = computed(() => secondsOf(frames.value, rate.value))

/** The rows to draw. */
export const rows = computed(() => [
  ...timelineRows(reportedComposition.value?.clips ?? [], stagedTree.value ?? details.value?.clips ?? [], {
    duration: length.value,
    openClips: openClips.value,
  }),
  ...motionRows(reportedComposition.value?.motions ?? [], length.value),
])

/** How seconds are drawn. */
export const timeScale = computed(() =>
  timelineScale(timelineZoom.value, {
    duration: length.value,
    fps: 1 / secondsOf(1, rate.value),
    width: timelineWidth.value,
  }),
)

/** Every clip of the rows. */
export const shownClips = computed(() => rows.value.flatMap(({ clips }) => clips))

/** The clips that are selected, in the order in which they were. */
export const selectedClips = computed(() =>
  selectedKeys.value.flatMap((key) => shownClips.value.find((clip) => clip.key === key) ?? []),
)

/** The clip that is described. */
export const selectedClip = computed(() => selectedClips.value.at(-1))

/** Selects a clip alone, or adds it to those that are selected; once more selects it no longer. */
export const select = (key: string, isAdded = false): void => {
  const keys = selectedKeys.peek()
  if (isAdded) selectedKeys.value = keys.includes(key) ? keys.filter((other) => other !== key) : [...keys, key]
  else selectedKeys.value = keys.length === 1 && keys[0] === key ? [] : [key]
}

/** Gives the keyboard to the clip at the playhead, or to the first one where there is none. */
export const focusClip = (): void => {
  timelinePanel.value = { ...timelinePanel.peek(), isFolded: false }
  const time = secondsOf(frame.peek(), rate.peek())
  const clips = shownClips.peek()
  const clip = clips.find(({ start, end }) => start <= time && time < end) ?? clips[0]
  // A timeline that was folded is there with the next picture.
  requestAnimationFrame(() => {
    for (const element of document.querySelectorAll<HTMLElement>('[data-clip]'))
      if (element.dataset.clip === clip?.key) element.focus()
  })
}

/** Shows or hides the clips of a clip. */
export const fold = (key: string): void => {
  const next = new Set(openClips.value)
  if (!next.delete(key)) next.add(key)
  openClips.value = next
}
