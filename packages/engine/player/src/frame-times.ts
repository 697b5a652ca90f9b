import { exactNumber, type FrameRate, frameCount, framesIn, secondsOf } from '@vid/protocol'
import type { PlayerComposition } from '@vid/runtime'

/** Frames that are closer to a whole number than this are that number: a time was rounded. */
const SAME_FRAME = 1e-6

/** The frames of a composition and their times, as a render counts them. */
export interface FrameTimes {
  /** Number of frames. */
  readonly count: number
  /** Frames in a second. */
  readonly rate: FrameRate
  /** Seconds at which a frame begins. */
  timeOf(frame: number): number
  /** The frame that is shown at a time, in seconds; may be outside the composition. */
  frameAt(seconds: number): number
  /** The nearest frame of the composition. */
  clamp(frame: number): number
}

/** The frames of a composition with a length. */
export const frameTimes = (
  { fps, fpsDivisor }: Pick<PlayerComposition, 'fps' | 'fpsDivisor'>,
  duration: number,
): FrameTimes => {
  const rate = exactNumber({ num: fps, den: fpsDivisor })
  const count = frameCount(duration, rate)
  return {
    count,
    rate,
    timeOf: (frame) => secondsOf(frame, rate),
    frameAt: (seconds) => Math.floor(framesIn(seconds, rate) + SAME_FRAME),
    clamp: (frame) => Math.min(count - 1, Math.max(0, Math.round(frame) || 0)),
  }
}
