import { type FrameRate, framesIn } from '@vid/kernel'

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Parses a decimal number of an attribute; null for anything else, also for a number that is not finite. */
export const readNumber = (text: string | null): number | null => {
  const trimmed = text?.trim() ?? ''
  const value = DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN
  return Number.isFinite(value) ? value : null
}

/** Number of frames of a duration in seconds: rounded when within 1e-3 of a whole number, else rounded up; at least 1. */
export const frameCount = (duration: number, fps: FrameRate): number => {
  const exact = framesIn(duration, fps)
  const nearest = Math.round(exact)
  return Math.max(1, Math.abs(exact - nearest) <= 1e-3 ? nearest : Math.ceil(exact))
}
