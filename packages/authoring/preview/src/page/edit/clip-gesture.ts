import { signal } from '@preact/signals'
import { secondsOf } from '@vid/protocol'
import type { TimelineClip } from '../model/clip-rows.ts'
import { type Drag, type DragKind, type DragRules, dragBy, draggedWindow } from '../model/drag.ts'
import { type SnapPoint, secondPoints } from '../model/snap.ts'
import { onsets } from '../state/media.ts'
import { tell } from '../state/notices.ts'
import { frame, rate, reportedComposition } from '../state/playback.ts'
import { length, select, selectedClips, selectedKeys, shownClips, timeScale } from '../state/timeline.ts'
import { dragOperations, editable } from './clip-edits.ts'
import { type EditableClip, editableClips, isPictureCurrent, isSamePlace } from './clip-target.ts'
import { pictureFollows } from './edit-session.ts'
import { stageClips } from './fresh-clips.ts'
import { guardClick, type Press, trackPointer } from './track-pointer.ts'

/** What is being done with clips of the timeline. */
export interface Gesture {
  readonly drag: Drag
  /** The clip under the pointer. */
  readonly clip: TimelineClip
  /** Keys of the clips that it is done with. */
  readonly keys: ReadonlySet<string>
  /** Name of a clip of the same track that one of them would lie over; null for none. */
  readonly over: string | null
}

/** The gesture that goes on, until the picture follows it; null for none. */
export const gesture = signal<Gesture | null>(null)

/** Whether edges snap. */
export const isSnapping = signal(true)

/** CSS pixels that a pointer may move and still click. */
const SLACK = { mouse: 3, pen: 6, touch: 8 } as const

/** The times at which sounds of a clip begin. */
const onsetsIn = ({ mediaId, source, start, end }: TimelineClip): readonly SnapPoint[] => {
  const media = reportedComposition.value?.probe.media.find(({ id }) => id === mediaId)
  const times = onsets.value[source?.src ?? ''] ?? []
  return !media
    ? []
    : times
        .map((seconds): SnapPoint => ({ seconds: start + (seconds - media.mediaStart) / media.rate, kind: 'onset' }))
        .filter(({ seconds }) => start < seconds && seconds < end)
}

/** Everything that an edge can snap to, but the clips of some keys. */
export const snapPoints = (keys: ReadonlySet<string>): readonly SnapPoint[] => [
  { seconds: secondsOf(frame.value, rate.value), kind: 'playhead' },
  { seconds: 0, kind: 'edge' },
  { seconds: length.value, kind: 'edge' },
  ...shownClips.value
    .filter(({ key, kind }) => !keys.has(key) && kind !== 'animation')
    .flatMap(({ start, end }): SnapPoint[] => [
      { seconds: start, kind: 'clip' },
      { seconds: end, kind: 'clip' },
    ]),
  ...shownClips.value.filter(({ key }) => !keys.has(key)).flatMap(onsetsIn),
  ...secondPoints(length.value, timeScale.value.perSecond),
]

/** The clip that others would lie over on its track: a composition has one clip of a track at a time. */
const overlapOf = (clips: readonly EditableClip[], keys: ReadonlySet<string>, drag: Drag): string | null => {
  const levelOf = (key: string) => key.slice(0, key.lastIndexOf('/'))
  const overlaps = (other: TimelineClip) =>
    clips.some(({ clip }) => {
      const { start, end } = draggedWindow(clip, drag)
      const isBeside = clip.track === other.track && levelOf(clip.key) === levelOf(other.key)
      return isBeside && start < other.end - 1e-3 && other.start < end - 1e-3
    })
  const other = shownClips.value.find((clip) => !keys.has(clip.key) && clip.kind !== 'animation' && overlaps(clip))
  return other?.name ?? null
}

/** Stages what a gesture has come to; the clips stay where they are until the picture shows them there. */
const commit = async (clips: readonly EditableClip[], settling: Gesture) => {
  const { drag } = settling
  try {
    const operations = (fresh: readonly EditableClip[]) => dragOperations(fresh, drag)
    if (drag.by !== 0 && (await stageClips({ clips, operations, isMeasured: true }))) await pictureFollows()
  } finally {
    if (gesture.value === settling) gesture.value = null
  }
}

/** The clips that a press on one is about: all that are selected, if it is one of them. */
const clipsOf = (clip: TimelineClip, kind: DragKind): readonly TimelineClip[] => {
  const isSelected = selectedKeys.value.includes(clip.key)
  return isSelected && (kind === 'move' || selectedClips.value.length > 1) ? selectedClips.value : [clip]
}

/** What a gesture is about, once the pointer has moved. */
interface Begun {
  readonly clips: readonly EditableClip[]
  readonly keys: ReadonlySet<string>
  readonly rules: DragRules
}

/** Begins a gesture with the clips that a press is about; undefined where none of them can be changed. */
const begin = (clip: TimelineClip, kind: DragKind): Begun | undefined => {
  const clips = editable(clipsOf(clip, kind))
  if (clips.length === 0) return undefined
  if (!selectedKeys.value.includes(clip.key)) select(clip.key)
  const keys = new Set(clips.map(({ clip: { key } }) => key))
  const rules = {
    windows: clips.map((moved) => moved.clip),
    points: snapPoints(keys),
    perSecond: timeScale.value.perSecond,
    rate: rate.value,
  }
  return { clips, keys, rules }
}

/** Whether a clip is the one that was pressed: without an id, its key may be that of another one now. */
const isPressed = ({ key, id }: TimelineClip, pressed: EditableClip | undefined): boolean => {
  const now = editableClips.value.get(key)
  return id !== '' || (now && pressed ? isSamePlace(now.facts.address, pressed.facts.address) : now === pressed)
}

/** Moves or trims clips with a pointer from its press on one until it is let go, or the gesture is ended by Escape. */
export const dragClips = (press: Press, clip: TimelineClip, kind: DragKind): void => {
  const { currentTarget: element, clientX, pointerType } = press
  const slack = SLACK[pointerType as keyof typeof SLACK] ?? SLACK.mouse
  const pressed = editableClips.value.get(clip.key)
  let begun: Begun | undefined
  let isAwaited = false

  const { end } = trackPointer(press, {
    move({ clientX: x, altKey }) {
      if (!begun && Math.abs(x - clientX) < slack) return
      // Until the picture shows what is staged, its clips have other times.
      isAwaited = !begun && !isPictureCurrent.value
      if (isAwaited) return
      begun ??= isPressed(clip, pressed) ? begin(clip, kind) : undefined
      if (!begun) return end()
      const { clips, keys, rules } = begun
      const points = isSnapping.value && !altKey ? rules.points : []
      const drag = dragBy(kind, (x - clientX) / rules.perSecond, { ...rules, points })
      gesture.value = { drag, clip, keys, over: overlapOf(clips, keys, drag) }
    },
    release() {
      if (isAwaited) tell(`The picture is still being loaded: ${clip.name} stays where it is.`)
      if (!begun || !gesture.value) return
      guardClick(element)
      void commit(begun.clips, gesture.value)
    },
    cancel() {
      if (!begun) return
      guardClick(element)
      gesture.value = null
    },
  })
}
