import { createLimiter, LIMITER_DELAY } from './limiter.ts'
import { readPieces } from './piece-reader.ts'
import { type AudioMix, mixRange, withMix, writeMix } from './sound-mix.ts'
import { CHANNELS, SAMPLE_RATE, type SoundReader } from './sound-reader.ts'
import { isAudible, type SampleRange } from './sound-track.ts'

/** Highest level between the samples of a finished file, dB of full scale. */
const TRUE_PEAK = -1

/** dB by which encoding and decoding may raise a level between samples. */
const CODEC_HEADROOM = 1

/** Level above which a mix is turned down, dB of full scale. */
export const CEILING = TRUE_PEAK - CODEC_HEADROOM

/** Highest level of a mix that is limited later; what is above it is no sound. */
export const MAX_LEVEL = 1000

/** Samples that are limited at a time. */
const PIECE = 1 << 16

/** The factor of a level in dB; as a 32-bit float, so that the last digits, which engines compute differently, decide nothing. */
const factorOf = (level: number) => Math.fround(10 ** (level / 20))

/** The first `samples` of a sound with a gain in dB, limited to the ceiling, in pieces. */
export async function* limitSound(
  sound: SoundReader,
  { samples, gain, signal }: { readonly samples: number; readonly gain: number; readonly signal: AbortSignal },
): AsyncGenerator<Float32Array> {
  const limit = createLimiter({ factor: factorOf(gain), ceiling: factorOf(CEILING) })
  let lead = LIMITER_DELAY
  for (let from = 0; from < samples + LIMITER_DELAY; from += PIECE) {
    signal.throwIfAborted()
    const piece = limit(await sound.read(from, Math.min(PIECE, samples + LIMITER_DELAY - from)))
    yield piece.subarray(Math.min(lead * CHANNELS, piece.length))
    lead = Math.max(0, lead - piece.length / CHANNELS)
  }
}

/** The part of some pieces that lies in a range of their samples. */
async function* cutPieces(
  pieces: AsyncIterable<Float32Array>,
  { first, end }: SampleRange,
): AsyncGenerator<Float32Array> {
  let position = 0
  for await (const piece of pieces) {
    yield piece.subarray(Math.max(0, first - position) * CHANNELS, Math.max(0, end - position) * CHANNELS)
    position += piece.length / CHANNELS
  }
}

/** A mix that is limited. */
interface LimitedMix extends AudioMix {
  /** dB that are added to it. */
  readonly gain: number
  /** End of the composition in seconds: a part of it sounds like the same part of the whole. */
  readonly compositionEnd: number
}

/** Mixes like `mixAudio`, with a gain, and turns down what is then above the ceiling. */
export const mixLimited = async ({
  gain,
  compositionEnd,
  ...job
}: LimitedMix): Promise<{ readonly trackCount: number }> => {
  const { tracks, signal } = job
  const range = mixRange(job)
  if (!tracks.some((track) => isAudible(track, range))) return { trackCount: 0 }
  const until = Math.min(compositionEnd, job.until + LIMITER_DELAY / SAMPLE_RATE)
  return withMix({ ...job, from: 0, until, maxLevel: MAX_LEVEL }, (mix) => {
    const pieces = limitSound(readPieces(mix.pieces), { samples: range.end, gain, signal })
    return writeMix(cutPieces(pieces, range), range.end - range.first, job)
  })
}
