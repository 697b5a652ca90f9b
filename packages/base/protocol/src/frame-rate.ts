import { type ExactNumber, exactNumber, ratioOf, readRatio } from './ratio.ts'

/** Frames per second: a whole number, or a fraction in lowest terms such as `30000/1001`. */
export type FrameRate = ExactNumber

/** What a frame rate may be, in words. */
export const FRAME_RATE_RULE = 'a whole number from 1 to 240, or a fraction such as 30000/1001'

/** What a frame rate may be where it is a number, in words. */
export const NUMERIC_FRAME_RATE_RULE = 'a whole number from 1 to 240, or a television rate such as 29.97'

const MAX_RATE = 240

/** The denominator of television's rates; with it, every time of a day of frames is computed exactly. */
const MAX_DENOMINATOR = 1001

/** Rounded decimals that stand for a television rate. */
const ROUNDED: Readonly<Record<string, number>> = {
  23.976: 24,
  23.98: 24,
  29.97: 30,
  47.952: 48,
  47.95: 48,
  59.94: 60,
  119.88: 120,
}

/** The rate that a value of a setting means; undefined when it means none. */
export const readFrameRate = (value: unknown): FrameRate | undefined => {
  const text = String(value)
  const rounded = ROUNDED[text]
  if (rounded !== undefined) return `${rounded * 1000}/${MAX_DENOMINATOR}`
  const isExact = /^\d+(\/\d+)?$/.test(text)
  const ratio = isExact ? readRatio(text) : undefined
  if (!ratio || ratio.num < ratio.den || ratio.num > MAX_RATE * ratio.den) return undefined
  const rate = exactNumber(ratio)
  return ratioOf(rate).den <= MAX_DENOMINATOR ? rate : undefined
}

/** Seconds that a number of frames takes, or the time of a frame: rounded once, so that no error adds up. */
export const secondsOf = (frames: number, fps: FrameRate): number => {
  const { num, den } = ratioOf(fps)
  return (frames * den) / num
}

/** Frames in a time in seconds, not rounded. */
export const framesIn = (seconds: number, fps: FrameRate): number => {
  const { num, den } = ratioOf(fps)
  return (seconds * num) / den
}

/** Times that differ by less are the same. */
const SAME_FRAMES = 1e-6

/** The first frame that is not before a time in seconds. */
export const firstFrameAt = (seconds: number, fps: FrameRate): number => Math.ceil(framesIn(seconds, fps) - SAME_FRAMES)

/** Number of frames of a duration in seconds: rounded when within 1e-3 of a whole number, else rounded up; at least 1. */
export const frameCount = (duration: number, fps: FrameRate): number => {
  const exact = framesIn(duration, fps)
  const nearest = Math.round(exact)
  return Math.max(1, Math.abs(exact - nearest) <= 1e-3 ? nearest : Math.ceil(exact))
}
