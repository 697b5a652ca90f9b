import { type FrameRate, framesIn } from '@vid/protocol'
import { SAMPLE_RATE } from './sound-reader.ts'

/** Gain over time: one value per frame, interpolated linearly, constant before the first and after the last. */
export interface GainCurve {
  readonly fps: FrameRate
  /** Frame of the video that the first value belongs to. */
  readonly firstFrame: number
  readonly values: readonly number[]
}

/** A sound source on the timeline of a mix. */
export interface SoundTrack {
  /** Absolute path. */
  readonly file: string
  /** Its name in warnings. */
  readonly label: string
  /** Time in the video at which the source is at `mediaStart`, seconds. */
  readonly start: number
  /** End in the video, seconds; the sound is audible on `[from, end)`, where `from` defaults to `start`. */
  readonly end: number
  readonly from?: number
  /** Seconds into the source at `start`. */
  readonly mediaStart: number
  /** Speed, 0.1–5; the pitch does not change. */
  readonly rate: number
  /** Loop length in seconds of the source, counted from `mediaStart`. */
  readonly loop?: number
  /** Factor, 0–3.98. */
  readonly gain: number | GainCurve
  /** -1 is left, 1 is right, 0 (default) leaves both sides as they are. */
  readonly pan?: number
}

/**
 * Factors of the left and the right side: one side stays as it is, the other is turned down along a quarter of a cosine.
 */
export const sideGains = (pan: number): readonly [number, number] => {
  const side = Math.abs(pan) >= 1 ? 0 : Math.cos((Math.abs(pan) * Math.PI) / 2)
  return pan < 0 ? [1, side] : [side, 1]
}

/** Highest gain: +12 dB. */
const MAX_GAIN = 3.98

const limited = (gain: number) => (gain > 0 ? Math.min(gain, MAX_GAIN) : 0)

/** Gain at each sample of the video. */
export const gainAt = (gain: SoundTrack['gain']): ((sample: number) => number) => {
  if (typeof gain === 'number') return () => limited(gain)
  const { fps, firstFrame } = gain
  const values = gain.values.map(limited)
  const last = values.length - 1
  return (sample) => {
    const frame = Math.min(Math.max(framesIn(sample, fps) / SAMPLE_RATE - firstFrame, 0), last)
    const before = Math.floor(frame)
    const from = values[before] ?? 0
    return from + ((values[before + 1] ?? from) - from) * (frame - before)
  }
}

/** Samples of a composition, from the first to before the end. */
export interface SampleRange {
  readonly first: number
  readonly end: number
}

/** Audible part of a track in some samples; `origin` is the sample at which the source starts. */
export const samplesOf = ({ start, end, from = start }: SoundTrack, range: SampleRange) => ({
  origin: Math.round(start * SAMPLE_RATE),
  first: Math.max(range.first, Math.round(Math.max(start, from) * SAMPLE_RATE)),
  end: Math.min(Math.round(end * SAMPLE_RATE), range.end),
})

/** Whether any part of a track is audible in some samples. */
export const isAudible = (track: SoundTrack, range: SampleRange): boolean => {
  const { first, end } = samplesOf(track, range)
  const { gain } = track
  return first < end && (typeof gain === 'number' ? gain > 0 : gain.values.some((value) => value > 0))
}
