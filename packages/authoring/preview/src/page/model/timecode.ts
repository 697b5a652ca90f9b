import { type FrameRate, isTime, readTime, secondsOf } from '@vid/protocol'

/** What times are counted in. */
interface TimeBase {
  readonly fps: FrameRate
  /** Number of frames. */
  readonly frames: number
}

const two = (value: number) => String(value).padStart(2, '0')

/** Seconds as `minutes:seconds.thousandths`, with hours when there are some. */
export const formatSeconds = (seconds: number): string => {
  const total = Math.round(Math.max(0, seconds) * 1000)
  const thousandths = String(total % 1000).padStart(3, '0')
  const whole = Math.floor(total / 1000)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const start = hours > 0 ? `${hours}:${two(minutes)}` : two(minutes)
  return `${start}:${two(whole % 60)}.${thousandths}`
}

/** The time of a frame as text. */
export const formatFrame = (frame: number, fps: FrameRate): string => formatSeconds(secondsOf(frame, fps))

/** Frames that are closer to a whole number than this are that number: a typed time has three digits. */
const ROUNDING = 0.05

/**
 * The frame that a typed time means: `1:30.5`, `2s`, `60f`, `50%`, or from the shown frame `+10f` and `-1s`; undefined
 * for a text that is no time. A frame outside the composition is the nearest in it.
 */
export const parseTime = (text: string, currentFrame: number, { fps, frames }: TimeBase): number | undefined => {
  const [, sign, rest = ''] = /^\s*([+-]?)\s*(.*?)\s*$/.exec(text) ?? []
  const plain = rest.replace(/^(\d+):(\d{1,2}:\d{1,2})(?=\.|$)/, (_, hours: string, others: string) => {
    const [minutes = '0', seconds = '0'] = others.split(':')
    return `${Number(hours) * 60 + Number(minutes)}:${seconds}`
  })
  if (!isTime(plain)) return undefined
  const exact = readTime(plain, { fps, duration: secondsOf(frames, fps) })
  const distance = Math.floor(exact + ROUNDING)
  const frame = sign === '+' ? currentFrame + distance : sign === '-' ? currentFrame - distance : distance
  return Math.min(Math.max(0, frame), frames - 1)
}

/** The frame that a typed number means; undefined for a text that is none. */
export const parseFrame = (text: string, currentFrame: number, frames: number): number | undefined => {
  const [, sign, digits] = /^\s*([+-]?)\s*(\d{1,9})\s*$/.exec(text) ?? []
  if (digits === undefined) return undefined
  const number = Number(digits)
  const frame = sign === '+' ? currentFrame + number : sign === '-' ? currentFrame - number : number
  return Math.min(Math.max(0, frame), frames - 1)
}
