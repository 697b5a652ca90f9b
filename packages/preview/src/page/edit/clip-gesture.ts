import { signal } from '@preact/signals'
import { secondsOf } from '@vid/protocol'
import type { TimelineClip } from '../model/clip-rows.ts'
import { type Drag, type DragKind, type DragRules, dragBy, draggedWindow } from '../model/drag.ts'
import { type SnapPoint, secondPoints } from '../model/snap.ts'
import { onsets } from '../state/media.ts'
import { composition, frame, rate } from '../state/playback.ts'
import { length, select, selectedClips, selectedKeys, shownClips, timeScale } from '../state/timeline.ts'
import { dragOperations, type EditableClip, editable } from './clip-edits.ts'
import { pictureFollows, stage } from './edit-session.ts'

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
  const media = composition.value?.probe.media.find(({ id }) => id === mediaId)
  const times = onsets.value[source?.src ?? ''] ?? []
  return !media
    ? []
    : times
        .map((seconds): SnapPoint => ({ seconds: start + (seconds - media.mediaStart) / media.rate, kind: 'onset' }))
        .filter(({ seconds }) => start < seconds && seconds < end)
}

/** Everything that an edge can snap to. */
const pointsBeside = (keys: ReadonlySet<string>): readonly SnapPoint[] => [
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
    if (drag.by !== 0 && (await stage(dragOperations(clips, drag)))) await pictureFollows()
  } finally {
    if (gesture.value === settling) gesture.value = null
  }
}

let clickGuard = new AbortController()

/** Ends the click that a browser makes of the end of a drag: it would select the clip, or no longer. */
const guardClick = (element: HTMLElement) => {
  const { signal } = clickGuard
  const end = (click: MouseEvent) => {
    if (click.detail > 0) click.stopImmediatePropagation()
    clickGuard.abort()
  }
  element.addEventListener('click', end, { signal, capture: true })
}

/** The clips that a press on one is about: all that are selected, if it is one of them. */
const clipsOf = (clip: TimelineClip, kind: DragKind): readonly TimelineClip[] => {
  const isSelected = selectedKeys.value.includes(clip.key)
  return isSelected && (kind === 'move' || selectedClips.value.length > 1) ? selectedClips.value : [clip]
}

/** Follows a pointer from its press on a clip until it is let go, or the gesture is ended by Escape. */
export const followPointer = (
  event: PointerEvent & { readonly currentTarget: HTMLElement },
  clip: TimelineClip,
  kind: DragKind,
): void => {
  const { currentTarget: element, pointerId, clientX, pointerType } = event
  const stop = new AbortController()
  const { signal } = stop
  const slack = SLACK[pointerType as keyof typeof SLACK] ?? SLACK.mouse
  let started: { readonly clips: readonly EditableClip[]; readonly rules: DragRules } | undefined

  const begin = () => {
    const clips = editable(clipsOf(clip, kind))
    if (clips.length === 0) return end()
    if (!selectedKeys.value.includes(clip.key)) select(clip.key)
    const keys = new Set(clips.map(({ clip: { key } }) => key))
    const rules = {
      windows: clips.map((moved) => moved.clip),
      points: pointsBeside(keys),
      perSecond: timeScale.value.perSecond,
      rate: rate.value,
    }
    started = { clips, rules }
    return keys
  }
  const end = () => {
    stop.abort()
    if (element.hasPointerCapture(pointerId)) element.releasePointerCapture(pointerId)
    return undefined
  }
  const move = ({ clientX: x, altKey }: PointerEvent) => {
    if (!started && Math.abs(x - clientX) < slack) return
    const keys = started ? gesture.value?.keys : begin()
    if (!started || !keys) return
    const { rules } = started
    const points = isSnapping.value && !altKey ? rules.points : []
    const drag = dragBy(kind, (x - clientX) / rules.perSecond, { ...rules, points })
    gesture.value = { drag, clip, keys, over: overlapOf(started.clips, keys, drag) }
  }
  const cancel = () => {
    end()
    if (!started) return
    guardClick(element)
    gesture.value = null
  }
  clickGuard.abort()
  clickGuard = new AbortController()
  element.setPointerCapture(pointerId)
  element.addEventListener('pointermove', move, { signal })
  element.addEventListener('pointercancel', cancel, { signal })
  element.addEventListener(
    'pointerup',
    () => {
      const settling = gesture.value
      end()
      if (!started || !settling) return
      guardClick(element)
      void commit(started.clips, settling)
    },
    { signal },
  )
  window.addEventListener(
    'keydown',
    (key) => {
      if (key.key !== 'Escape') return
      key.preventDefault()
      key.stopPropagation()
      cancel()
    },
    { signal, capture: true },
  )
}
