import type { FrameRate } from '@vid/protocol'
import type { DiffReport } from './diff-schema.ts'
import type { ExaminedInterval } from './examine-intervals.ts'

/** How two sides differ, before it is reported. */
export interface ComparedSides {
  readonly fps: FrameRate
  /** Pixels of a picture. */
  readonly picture: { readonly width: number; readonly height: number }
  /** Frames of the longer side, and those that both sides have. */
  readonly frames: number
  readonly common: number
  /** Frames that were compared pixel by pixel. */
  readonly compared: number
  readonly reason: string
  /** Why no pictures can be compared. */
  readonly problem?: string
  readonly intervals: readonly ExaminedInterval[]
  readonly sound: DiffReport['sound']
}
