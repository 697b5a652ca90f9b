import { type MediaUse, sourceTime } from '@vid/kernel'
import { frameIndexAt, TICKS } from './frame-times.ts'
import type { SourceFile } from './source.ts'

/** A run of composition frames and the source frames that they show. */
export interface ShownFrames {
  /** Composition frame of the first entry. */
  readonly first: number
  /** Per composition frame, the time stamp of the source frame in whole ticks. */
  readonly ticks: readonly number[]
}

/** Composition frames of a use's window, as first and one past the last. */
const framesOf = ({ start, end }: MediaUse, fps: number, total: number): [number, number] => {
  const at = (seconds: number) => Math.ceil(Math.min(seconds, total / fps) * fps - 1e-6)
  return [Math.max(0, at(start)), Math.max(0, at(end))]
}

/** The source frames that a use shows in `total` composition frames: exact to the frame, also of variable rate. */
export const shownFrames = (
  use: MediaUse,
  source: Pick<SourceFile, 'duration' | 'origin' | 'picture'>,
  times: readonly number[],
  { fps, total }: { readonly fps: number; readonly total: number },
): ShownFrames => {
  const [first, end] = framesOf(use, fps, total)
  const { num, den } = source.picture?.stream.timeBase ?? { num: 1, den: TICKS }
  // A container's time stamps are rounded: half a unit of them is no difference.
  const slack = Math.min(num / den / 2, 0.002) + 1e-6
  const ticks = Array.from({ length: Math.max(0, end - first) }, (_, index) => {
    const seconds = source.origin + sourceTime(use, source.duration, (first + index) / fps)
    return Math.round(times[frameIndexAt(times, (seconds + slack) * TICKS)] ?? 0)
  })
  return { first, ticks }
}

/** Which frames of a source to extract: from a time stamp, so many, one in `stride`. */
export interface FrameSelection {
  readonly fromTick: number
  readonly count: number
  readonly stride: number
}

/** The fewest frames in one pass that hold all that are shown; undefined when none is. */
export const selectFrames = (
  times: readonly number[],
  shown: readonly number[],
): FrameSelection | undefined => {
  const wanted = [...new Set(shown)].map((tick) => frameIndexAt(times, tick + 0.5)).sort((a, b) => a - b)
  const [low, high] = [wanted[0], wanted.at(-1)]
  if (low === undefined || high === undefined) return undefined
  const stride = (wanted[1] ?? low + 1) - low
  const even = wanted.every((index, nth) => index === low + nth * stride)
  return {
    fromTick: Math.round(times[low] ?? 0),
    count: even ? wanted.length : high - low + 1,
    stride: even ? stride : 1,
  }
}
