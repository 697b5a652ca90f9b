import { sourceTime } from '@vid/kernel'
import { type FrameRate, firstFrameAt, type MediaUse, secondsOf } from '@vid/protocol'
import { frameIndexAt, type StreamTimes, shownTimes, TICKS } from './frame-times.ts'
import type { SourceFile } from './source.ts'

/** A run of composition frames and the source frames that they show. */
export interface ShownFrames {
  /** Composition frame of the first entry. */
  readonly first: number
  /** Time stamp of the source frame for each composition frame, in whole ticks. */
  readonly ticks: readonly number[]
}

/** Composition frames in which a media element is shown: the first, and one past the last. */
const framesOf = ({ start, end }: MediaUse, fps: FrameRate, total: number): [number, number] => {
  const frameAt = (seconds: number) => firstFrameAt(Math.min(seconds, secondsOf(total, fps)), fps)
  return [Math.max(0, frameAt(start)), Math.max(0, frameAt(end))]
}

/** By as many seconds an estimate of when a frame is shown may be late. */
const ESTIMATE_S = 0.001

/** The source frames that a media element shows in `total` composition frames; exact also for a variable frame rate. */
export const shownFrames = (
  use: MediaUse,
  source: Pick<SourceFile, 'duration' | 'origin' | 'picture'>,
  frameTimes: Pick<StreamTimes, 'times' | 'estimated'>,
  { fps, total }: { readonly fps: FrameRate; readonly total: number },
): ShownFrames => {
  const [first, end] = framesOf(use, fps, total)
  const { num, den } = source.picture?.stream.timeBase ?? { num: 1, den: TICKS }
  // A container rounds its time stamps: differences up to half its unit do not count.
  const tolerance = (frameTimes.estimated ? ESTIMATE_S : Math.min(num / den / 2, 0.002)) + 1e-6
  const ticks = Array.from({ length: Math.max(0, end - first) }, (_, index) => {
    const seconds = source.origin + sourceTime(use, source.duration, secondsOf(first + index, fps))
    return Math.round(frameTimes.times[frameIndexAt(shownTimes(frameTimes), (seconds + tolerance) * TICKS)] ?? 0)
  })
  return { first, ticks }
}

/** Which frames of a source to extract: `count` frames from a time stamp, every `stride`th one. */
export interface FrameSelection {
  readonly fromTick: number
  readonly count: number
  readonly stride: number
}

/** The smallest selection, extracted in one pass, that has every shown frame; undefined when no frame is shown. */
export const selectFrames = (times: readonly number[], ticks: readonly number[]): FrameSelection | undefined => {
  const indices = [...new Set(ticks)].map((tick) => frameIndexAt(times, tick + 0.5)).sort((a, b) => a - b)
  const low = indices[0]
  const high = indices.at(-1)
  if (low === undefined || high === undefined) return undefined
  const stride = (indices[1] ?? low + 1) - low
  const isEven = indices.every((index, nth) => index === low + nth * stride)
  return {
    fromTick: Math.round(times[low] ?? 0),
    count: isEven ? indices.length : high - low + 1,
    stride: isEven ? stride : 1,
  }
}
