import type { FrameDifference } from './compare-frames.ts'

/** Consecutive frames that differ. */
export interface FrameInterval {
  readonly start: number
  /** The frame after the last. */
  readonly end: number
  /** The frame that differs most. */
  readonly worst: FrameDifference
}

/** Groups frames that differ, which are in order. */
export const intervalsOf = (differences: readonly FrameDifference[]): readonly FrameInterval[] => {
  const intervals: FrameInterval[] = []
  for (const difference of differences) {
    const { frame } = difference
    const last = intervals.at(-1)
    if (last?.end !== frame) intervals.push({ start: frame, end: frame + 1, worst: difference })
    else {
      const worst = difference.changed > last.worst.changed ? difference : last.worst
      intervals[intervals.length - 1] = { ...last, end: frame + 1, worst }
    }
  }
  return intervals
}

/** A range of frames. */
export interface FrameSpan {
  readonly start: number
  readonly frames: number
}

/** Frames in order that overlap nowhere, from ranges that may; all within `frames`. */
export const mergeRanges = (
  ranges: readonly { readonly start: number; readonly end: number }[],
  frames: number,
): FrameSpan[] => {
  const merged: { start: number; end: number }[] = []
  for (const range of [...ranges].sort((one, other) => one.start - other.start)) {
    const start = Math.max(0, range.start)
    const end = Math.min(frames, range.end)
    const last = merged.at(-1)
    if (start >= end) continue
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged.map(({ start, end }) => ({ start, frames: end - start }))
}
