import { CHANNELS, type SoundReader } from './sound-reader.ts'

/** Samples of one cross-fade, about 21 ms: longer than a period of the deepest voice. */
const HOP = 1024

/** Limit in samples, about 11 ms, on shifting a piece to match the one before; a beat is early or late by at most this. */
const MAX_SHIFT = 512

/** Most samples by which stretching reads back: a cross-fade and a shift, of this piece and of the one before. */
export const STRETCH_BEHIND = 2 * (HOP + MAX_SHIFT)

/** Step of the coarse search in samples; the fine search tries every sample around the best of the coarse one. */
const COARSE = 8

/** Downmixes to mono at one value per `step` samples. */
const downsample = (stereo: Float32Array, step: number): Float32Array => {
  const mono = new Float32Array(Math.floor(stereo.length / CHANNELS / step))
  for (let index = 0; index < mono.length; index++) {
    let sum = 0
    for (let n = index * step * CHANNELS; n < (index + 1) * step * CHANNELS; n++) sum += stereo[n] ?? 0
    mono[index] = sum
  }
  return mono
}

/** Position from `first` to `last` at which `within` is most similar to `wanted`; `preferred` wins a tie. */
const bestFit = (
  within: Float32Array,
  target: Float32Array,
  [first, last, preferred]: readonly [number, number, number],
): number => {
  const score = (offset: number) => {
    let product = 0
    let energy = 1e-9
    for (let n = 0; n < target.length; n++) {
      const value = within[offset + n] ?? 0
      product += value * (target[n] ?? 0)
      energy += value * value
    }
    return product / Math.sqrt(energy)
  }
  let best = preferred
  let highest = score(preferred) + 1e-9
  for (let offset = first; offset <= last; offset++) {
    const value = score(offset)
    if (value > highest) [best, highest] = [offset, value]
  }
  return best
}

/** Shift of `ideal` at which the sound continues `previous` with the smallest break. */
const findShift = async (sound: SoundReader, ideal: number, previous: Float32Array): Promise<number> => {
  const around = await sound.read(ideal - HOP - MAX_SHIFT, HOP + 2 * MAX_SHIFT)
  const middle = MAX_SHIFT / COARSE
  const rough = bestFit(downsample(around, COARSE), downsample(previous, COARSE), [0, 2 * middle, middle]) * COARSE
  const first = Math.max(0, rough - COARSE)
  const last = Math.min(2 * MAX_SHIFT, rough + COARSE)
  return bestFit(downsample(around, 1), downsample(previous, 1), [first, last, rough]) - MAX_SHIFT
}

/**
 * Time-stretches a sound by `rate` at unchanged pitch (WSOLA): `samples` of it, in pieces. ffmpeg's atempo is not used:
 * it starts up to 40 ms early, ends early, and differs between versions.
 */
export async function* stretchSound(
  sound: SoundReader,
  { rate, samples, signal }: { rate: number; samples: number; signal: AbortSignal },
): AsyncGenerator<Float32Array> {
  const rising = Float32Array.from({ length: HOP }, (_, n) => 0.5 - 0.5 * Math.cos((Math.PI * (n + 0.5)) / HOP))
  let position = 0
  for (let offset = 0; offset < samples; offset += HOP) {
    signal.throwIfAborted()
    const current = await sound.read(position, HOP)
    const ideal = Math.round((offset + HOP) * rate)
    position = ideal + (await findShift(sound, ideal, current))
    const next = await sound.read(position - HOP, HOP)
    for (let n = 0; n < current.length; n++) {
      const part = rising[n >> 1] ?? 0
      current[n] = (current[n] ?? 0) * (1 - part) + (next[n] ?? 0) * part
    }
    yield current.subarray(0, Math.min(HOP, samples - offset) * CHANNELS)
  }
}
