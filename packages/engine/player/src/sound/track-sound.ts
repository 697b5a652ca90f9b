import {
  CHANNELS,
  gainAt,
  repeatSound,
  SAMPLE_RATE,
  type SoundReader,
  samplesOf,
  sideGains,
  stretchSound,
} from '@vid/ffmpeg/sound-rules'
import type { HeardTrack } from './sound-tracks.ts'
import type { SourceSound } from './source-sound.ts'

/** Samples of a track in the order in which they are heard. */
export interface TrackSound {
  /** The next samples, interleaved; silence where the track is not heard. */
  next(count: number): Promise<Float32Array>
}

/** Where and how fast a track is played. */
export interface TrackStart {
  /** Sample of the composition that is heard first. */
  readonly first: number
  /** Sample of the composition at which everything ends. */
  readonly end: number
  /** Speed of the composition. */
  readonly rate: number
  readonly signal: AbortSignal
}

/** Reads pieces as if they were one sound that is read once, from its beginning. */
const readPieces = (pieces: AsyncGenerator<Float32Array>) => {
  let remainder = new Float32Array(0)
  return async (count: number): Promise<Float32Array> => {
    const samples = new Float32Array(count * CHANNELS)
    for (let length = 0; length < samples.length; ) {
      if (remainder.length === 0) {
        const { value, done } = await pieces.next()
        if (done) break
        remainder = new Float32Array(value)
      }
      const part = remainder.subarray(0, samples.length - length)
      samples.set(part, length)
      length += part.length
      remainder = remainder.subarray(part.length)
    }
    return samples
  }
}

/** A sound from one of its samples on, silent before. */
const startingAt = (sound: SoundReader, first: number): SoundReader => ({
  async read(from, count) {
    const lead = Math.min(count, Math.max(0, -from))
    if (lead === 0) return sound.read(first + from, count)
    const samples = new Float32Array(count * CHANNELS)
    if (lead < count) samples.set(await sound.read(first, count - lead), lead * CHANNELS)
    return samples
  },
})

const sourceOf = (track: HeardTrack, sound: SourceSound): SoundReader => {
  const source = startingAt(sound, Math.round(track.mediaStart * SAMPLE_RATE))
  if (track.loop === undefined) return source
  const { duration } = sound
  const isKnown = track.hasExactLength || duration === undefined
  const seconds = isKnown ? track.loop : duration - track.mediaStart
  return repeatSound(source, Math.max(1, seconds * SAMPLE_RATE))
}

/**
 * The sound of a track from a place of the composition on: stretched at its pitch where speeds differ from 1, and with
 * its gain where that follows a curve.
 */
export const playTrack = (track: HeardTrack, sound: SourceSound, start: TrackStart): TrackSound => {
  const window = samplesOf({ ...track, file: '' }, { first: start.first, end: start.end })
  const { origin, first, end } = window
  const source = sourceOf(track, sound)
  const speed = track.rate * start.rate
  /** Samples that are heard before the track begins, and those of the track. */
  const silent = Math.max(0, Math.round((first - start.first) / start.rate))
  const length = Math.max(0, Math.ceil((end - first) / start.rate))
  const from = Math.round((first - origin) * track.rate)
  const reader: SoundReader = { read: (position, count) => source.read(from + position, count) }
  const stretchedRead =
    speed === 1 ? undefined : readPieces(stretchSound(reader, { rate: speed, samples: length, signal: start.signal }))
  const sides = sideGains(track.pan ?? 0)
  const gain = typeof track.gain === 'number' ? undefined : gainAt(track.gain)
  let position = -silent
  return {
    async next(count) {
      const samples = new Float32Array(count * CHANNELS)
      const lead = Math.min(count, Math.max(0, -position))
      const amount = Math.max(0, Math.min(count - lead, length - Math.max(position, 0)))
      const read =
        amount === 0
          ? new Float32Array(0)
          : await (stretchedRead ? stretchedRead(amount) : reader.read(Math.max(position, 0), amount))
      const heard = first + Math.max(position, 0) * start.rate
      const factor = (n: number) => (gain?.(heard + (n >> 1) * start.rate) ?? 1) * (sides[n & 1] ?? 1)
      samples.set(gain || track.pan ? read.map((value, n) => value * factor(n)) : read, lead * CHANNELS)
      position += count
      return samples
    },
  }
}
