import { SAMPLE_RATE } from './sound-file.ts'

/** Loudness over time: one gain a frame, in a straight line between frames, held before the first and after the last. */
export interface GainCurve {
  readonly fps: number
  /** Frame of the video that the first value belongs to. */
  readonly firstFrame: number
  readonly values: readonly number[]
}

/** A piece of a source in the mix. */
export interface SoundTrack {
  /** Absolute path. */
  readonly file: string
  /** What a warning calls it. */
  readonly label: string
  /** Seconds of the video; the sound is heard on `[start, end)`. */
  readonly start: number
  readonly end: number
  /** Seconds into the source at `start`. */
  readonly mediaStart: number
  /** Speed, 0.1–5; the pitch stays. */
  readonly rate: number
  /** Seconds of the source, from `mediaStart`, after which it starts again there. */
  readonly loop?: number
  /** Factor, 0–3.98. */
  readonly gain: number | GainCurve
}

/** The loudest gain: +12 dB. */
export const MAX_GAIN = 3.98

const limited = (gain: number) => (gain > 0 ? Math.min(gain, MAX_GAIN) : 0)

/** Gain at each sample of the video. */
export const gainAt = (gain: SoundTrack['gain']): ((sample: number) => number) => {
  if (typeof gain === 'number') return () => limited(gain)
  const { fps, firstFrame } = gain
  const values = gain.values.map(limited)
  const last = values.length - 1
  return (sample) => {
    const frame = Math.min(Math.max((sample * fps) / SAMPLE_RATE - firstFrame, 0), last)
    const before = Math.floor(frame)
    const from = values[before] ?? 0
    return from + ((values[before + 1] ?? from) - from) * (frame - before)
  }
}

/** Whether anything of a track can be heard in a video of `samples`. */
export const isAudible = ({ gain, start, end }: SoundTrack, samples: number): boolean =>
  (typeof gain === 'number' ? gain > 0 : gain.values.some((value) => value > 0)) &&
  Math.round(start * SAMPLE_RATE) < Math.min(Math.round(end * SAMPLE_RATE), samples)
