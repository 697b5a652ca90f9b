import { type FrameRate, framesIn, secondsOf } from '@vid/protocol'
import { type Snap, type SnapPoint, snapTo } from './snap.ts'

/** What a gesture does with its clips. */
export type DragKind = 'move' | 'trimStart' | 'trimEnd'

/** A clip's window, in seconds of the whole composition. */
export interface Window {
  readonly start: number
  readonly end: number
}

/** What a gesture has come to. */
export interface Drag {
  readonly kind: DragKind
  /** Seconds by which every window is moved, or its edge. */
  readonly by: number
  /** Where one of the windows snapped to; null where it is at a frame of its own. */
  readonly snap: SnapPoint | null
}

/** What a gesture is measured against. */
export interface DragRules {
  readonly windows: readonly Window[]
  readonly points: readonly SnapPoint[]
  readonly perSecond: number
  readonly rate: FrameRate
}

/** Seconds of the nearest frame at which a change can be seen, cut to milliseconds: a source has short numbers. */
export const frameTime = (seconds: number, rate: FrameRate): number => {
  const frame = Math.max(0, Math.round(framesIn(seconds, rate)))
  return Math.floor(secondsOf(frame, rate) * 1000 + 1e-6) / 1000
}

const edgesOf = (kind: DragKind, { start, end }: Window): readonly number[] =>
  ({ move: [start, end], trimStart: [start], trimEnd: [end] })[kind]

/** The nearest shift that leaves every window at least a frame long, and at 0 or later. */
const limit = (kind: DragKind, by: number, { windows, rate }: DragRules): number => {
  const frame = secondsOf(1, rate)
  const first = Math.min(...windows.map(({ start }) => start))
  const shortest = Math.min(...windows.map(({ start, end }) => end - start)) - frame
  if (kind === 'move') return Math.max(by, -first)
  return kind === 'trimStart' ? Math.max(-first, Math.min(by, shortest)) : Math.max(by, -shortest)
}

/** What a gesture does that has gone a distance: it snaps, else it stays on frames of the first window. */
export const dragBy = (kind: DragKind, seconds: number, rules: DragRules): Drag => {
  const { windows, points, perSecond, rate } = rules
  const edges = windows.flatMap((window) => edgesOf(kind, window))
  const snap: Snap | undefined = snapTo(
    edges.map((edge) => edge + seconds),
    points,
    perSecond,
  )
  if (snap) {
    const by = seconds + snap.by
    if (limit(kind, by, rules) === by) return { kind, by, snap: snap.point }
  }
  const [edge = 0] = edges
  return { kind, by: limit(kind, frameTime(edge + seconds, rate) - edge, rules), snap: null }
}

/** A window after a gesture. */
export const draggedWindow = ({ start, end }: Window, { kind, by }: Drag): Window => ({
  start: kind === 'trimEnd' ? start : start + by,
  end: kind === 'trimStart' ? end : end + by,
})
