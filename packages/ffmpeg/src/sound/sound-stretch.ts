import { open } from 'node:fs/promises'
import { CHANNELS, type SoundReader, writeSound } from './sound-file.ts'

/** Samples of one cross-fade, about 21 ms: longer than a period of the lowest speech. */
const HOP = 1024

/** Samples that a piece may move to fit the one before: the most by which a beat is early or late, about 11 ms. */
const REACH = 512

/** The first look is at every eighth sample; the second at all samples around its best. */
const COARSE = 8

/** Both channels as one, averaged over `step` samples. */
const thin = (stereo: Float32Array, step: number): Float32Array => {
  const mono = new Float32Array(Math.floor(stereo.length / CHANNELS / step))
  for (let at = 0; at < mono.length; at++) {
    let sum = 0
    for (let n = at * step * CHANNELS; n < (at + 1) * step * CHANNELS; n++) sum += stereo[n] ?? 0
    mono[at] = sum
  }
  return mono
}

/** Where in `within`, from `first` to `last`, the sound is most like `wanted`; `favourite` unless another is better. */
const bestFit = (
  within: Float32Array,
  wanted: Float32Array,
  [first, last, favourite]: readonly [number, number, number],
): number => {
  const score = (at: number) => {
    let product = 0
    let energy = 1e-9
    for (let n = 0; n < wanted.length; n++) {
      const value = within[at + n] ?? 0
      product += value * (wanted[n] ?? 0)
      energy += value * value
    }
    return product / Math.sqrt(energy)
  }
  let best = favourite
  let highest = score(favourite) + 1e-9
  for (let at = first; at <= last; at++) {
    const value = score(at)
    if (value > highest) [best, highest] = [at, value]
  }
  return best
}

/** Samples to add to `ideal` so that the sound before it continues as `previous` would. */
const findShift = async (sound: SoundReader, ideal: number, previous: Float32Array): Promise<number> => {
  const around = await sound.read(ideal - HOP - REACH, HOP + 2 * REACH)
  const middle = REACH / COARSE
  const rough = bestFit(thin(around, COARSE), thin(previous, COARSE), [0, 2 * middle, middle]) * COARSE
  const first = Math.max(0, rough - COARSE)
  const last = Math.min(2 * REACH, rough + COARSE)
  return bestFit(thin(around, 1), thin(previous, 1), [first, last, rough]) - REACH
}

/**
 * Plays a sound `rate` times as fast at its own pitch (WSOLA) and writes `samples` of it to `output`. Made here, since
 * ffmpeg's atempo starts up to 40 ms early, ends short, and differs between versions.
 */
export const stretchSound = async (
  sound: SoundReader,
  { rate, samples, output, signal }: { rate: number; samples: number; output: string; signal: AbortSignal },
): Promise<void> => {
  const rising = Float32Array.from(
    { length: HOP },
    (_, n) => 0.5 - 0.5 * Math.cos((Math.PI * (n + 0.5)) / HOP),
  )
  const handle = await open(output, 'w')
  try {
    let position = 0
    for (let at = 0; at < samples; at += HOP) {
      signal.throwIfAborted()
      const old = await sound.read(position, HOP)
      const ideal = Math.round((at + HOP) * rate)
      position = ideal + (await findShift(sound, ideal, old))
      const next = await sound.read(position - HOP, HOP)
      for (let n = 0; n < old.length; n++) {
        const part = rising[n >> 1] ?? 0
        old[n] = (old[n] ?? 0) * (1 - part) + (next[n] ?? 0) * part
      }
      await writeSound(handle, old.subarray(0, Math.min(HOP, samples - at) * CHANNELS), at)
    }
  } finally {
    await handle.close()
  }
}
