import { SAMPLE_RATE } from '@vid/ffmpeg'
import { createSpectrum, SPECTRUM_SIZE } from './spectrum.ts'

/** Values of an onset strength in a second. */
export const STRENGTH_RATE = 200

const HOP = SAMPLE_RATE / STRENGTH_RATE

/** Borders of the bands in which a sound is compared with what was before, Hz: about three in an octave. */
const LOWEST = 60
const HIGHEST = 16_000
const BANDS = 24

/** Values between which levels are compared: 10 ms; the first ones are before the start, so that its rise is whole. */
const LAG = 2

/** Seconds by which a rise is strongest before its sound is in the middle of the window. */
const EARLY = 0.004

/** The time of a place among the values of an onset strength, in seconds. */
export const secondsAt = (place: number): number => Math.max(0, (place - LAG) / STRENGTH_RATE + EARLY)

/** Values over which what changes slowly is taken away, on each side: half a second. */
const SLOW = STRENGTH_RATE / 2

/** The first frequency of each band, and the one after the last. */
const BORDERS = Array.from({ length: BANDS + 1 }, (_, band) =>
  Math.round((LOWEST * (HIGHEST / LOWEST) ** (band / BANDS) * SPECTRUM_SIZE) / SAMPLE_RATE),
).map((bin, band) => Math.max(bin, band + 1))

/** The level of each band, which grows with the logarithm of its amplitude. */
const levelsOf = (powers: Float64Array): number[] =>
  BORDERS.slice(0, -1).map((first, band) => {
    let power = 0
    for (let bin = first; bin < (BORDERS[band + 1] ?? first); bin++) power += powers[bin] ?? 0
    return Math.log1p(100 * Math.sqrt(power))
  })

/** How much the bands rise together. */
const riseBetween = (before: readonly number[], levels: readonly number[]): number =>
  levels.reduce((sum, level, band) => sum + Math.max(0, level - (before[band] ?? 0)), 0)

/** What is above the mean of its surroundings, in units of its spread. */
const sharpen = (rises: readonly number[]): Float64Array => {
  const sums = [0]
  for (const rise of rises) sums.push((sums.at(-1) ?? 0) + rise)
  const sharp = Float64Array.from(rises, (rise, index) => {
    const first = Math.max(0, index - SLOW)
    const end = Math.min(rises.length, index + SLOW + 1)
    return Math.max(0, rise - ((sums[end] ?? 0) - (sums[first] ?? 0)) / (end - first))
  })
  const spread = Math.sqrt(sharp.reduce((sum, value) => sum + value * value, 0) / Math.max(1, sharp.length))
  return spread > 0 ? sharp.map((value) => value / spread) : sharp
}

/** Measures how strongly something begins at each 5 ms of a sound of 48 kHz. */
export const createOnsetStrength = () => {
  const spectrum = createSpectrum()
  const ring = new Float64Array(SPECTRUM_SIZE)
  const rises: number[] = []
  const history: number[][] = []
  let count = 0
  const add = (sample: number) => {
    ring[count % SPECTRUM_SIZE] = sample
    count += 1
    const until = count - SPECTRUM_SIZE / 2 + LAG * HOP
    if (until < 0 || until % HOP !== 0) return
    const levels = levelsOf(spectrum(ring, count % SPECTRUM_SIZE))
    // Before the start is silence.
    rises.push(riseBetween(history.length < LAG ? [] : (history[0] ?? []), levels))
    history.push(levels)
    if (history.length > LAG) history.shift()
  }
  return {
    add,
    /** The strength at `secondsAt(index)`; nothing is added after it. */
    result(): Float64Array {
      for (let rest = 0; rest < SPECTRUM_SIZE / 2; rest++) add(0)
      return sharpen(rises)
    },
  }
}
