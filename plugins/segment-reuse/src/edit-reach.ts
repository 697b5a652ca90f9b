import type { EditReach } from '@vid/core'
import { framesIn, type SegmentJob } from '@vid/kernel'

/** Times that differ by less are equal for the runtime. */
const SAME = 1e-6

/** Whether no frame of a segment lies in the windows of an edit. */
export const isUntouched = (reach: EditReach, { plan, start, frames }: SegmentJob): boolean =>
  'windows' in reach &&
  reach.windows.every((window) => {
    const rangeStart = plan.range?.start ?? 0
    const first = Math.ceil(framesIn(window.start - SAME, plan.fps)) - rangeStart
    const end = Math.ceil(framesIn(window.end - SAME, plan.fps)) - rangeStart
    return first >= start + frames || end <= start
  })

/**
 * Frames to compare in a segment that an edit should not touch: the second, the last and three in between. Not the
 * first, because there an engine compares its lanes again, which costs more than all five.
 */
export const sampleFrames = ({ start, frames }: Pick<SegmentJob, 'start' | 'frames'>): number[] => {
  const first = start + Math.min(1, frames - 1)
  const rest = start + frames - 1 - first
  return [...new Set([0, 1, 2, 3, 4].map((quarter) => first + Math.floor((quarter * rest) / 4)))]
}

const seconds = (value: number) => Number(value.toFixed(3))

/** Describes the windows of an edit. */
export const describeReach = (reach: EditReach): string => {
  if ('reason' in reach) return reach.reason
  if (reach.windows.length === 0) return 'the edit touches no frame'
  const windows = reach.windows.map(({ start, end }) => `${seconds(start)}–${seconds(end)} s`)
  return `the edit touches only ${windows.join(', ')}`
}
