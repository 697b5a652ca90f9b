import { type FrameRate, framesIn } from './frame-rate.ts'

/** What a time may be, in words. */
export const TIME_RULE = 'a time such as 2s, 1.5, 500ms, 60f, 50% or 1:30.5'

/** A time as `TIME_RULE` says it. */
export const TIME_PATTERN = String.raw`\d{1,9}(\.\d+)?(s|ms|%)?|\d{1,9}f|(\d{1,3}:)?\d{1,4}:\d{1,2}(\.\d+)?`

/** What a list of times may be, in words. */
export const TIMES_RULE = 'times such as 1s,2.5s,50%,90f,1:30'

/** A list of times as `TIMES_RULE` says it. */
export const TIMES_PATTERN = String.raw`\s*(${TIME_PATTERN})(\s*,\s*(${TIME_PATTERN}))*\s*`

/** What times are counted in: frames of a rate, and a length for percentages. */
export interface TimeBase {
  readonly fps: FrameRate
  /** Seconds. */
  readonly duration: number
}

const WHOLE = new RegExp(`^(?:${TIME_PATTERN})$`)

/** Whether a text is a time. */
export const isTime = (text: string): boolean => WHOLE.test(text)

const WHOLE_LIST = new RegExp(`^(?:${TIMES_PATTERN})$`)

/** Whether a text is a list of times. */
export const isTimes = (text: string): boolean => WHOLE_LIST.test(text)

/** The position of a time in frames, not rounded; the text must be a time. */
export const readTime = (text: string, { fps, duration }: TimeBase): number => {
  const number = Number.parseFloat(text)
  if (text.endsWith('f')) return number
  if (text.endsWith('%')) return framesIn((number / 100) * duration, fps)
  if (text.endsWith('ms')) return framesIn(number / 1000, fps)
  const seconds = text
    .replace('s', '')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
  return framesIn(seconds, fps)
}
