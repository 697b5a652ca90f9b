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
  /** Seconds of the video at which the source stands at `mediaStart`. */
  readonly start: number
  /** Seconds of the video; the sound is heard on `[from, end)`, where `from` is `start` unless it is later. */
  readonly end: number
  readonly from?: number
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

/** The samples of a video of `length` in which a track is heard, and the one at which it starts. */
export const samplesOf = ({ start, end, from = start }: SoundTrack, length: number) => ({
  origin: Math.round(start * SAMPLE_RATE),
  first: Math.max(0, Math.round(Math.max(start, from) * SAMPLE_RATE)),
  end: Math.min(Math.round(end * SAMPLE_RATE), length),
})

/** Whether anything of a track can be heard in a video of `length` samples. */
export const isAudible = (track: SoundTrack, length: number): boolean => {
  const { first, end } = samplesOf(track, length)
  const { gain } = track
  return first < end && (typeof gain === 'number' ? gain > 0 : gain.values.some((value) => value > 0))
}
