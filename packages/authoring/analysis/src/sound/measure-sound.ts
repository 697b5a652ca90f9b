import { SAMPLE_RATE } from '@vid/ffmpeg'
import {
  blocksOf,
  createLoudnessMeter,
  createTruePeak,
  integrate,
  loudnessOf,
  maxShortTerm,
  readSamples,
} from '@vid/ffmpeg/sound-levels'
import type { CompositionSound, Stretch } from './composition-sound.ts'

/** Levels are measured in parts of 10 ms. */
const PART = SAMPLE_RATE / 100

/** dB of full scale below which nothing is heard. */
const SILENCE_DB = -60

/** dB of full scale that a beginning sound has at least, and by how many it is above what was heard before. */
const ONSET_DB = -45
const ONSET_RISE_DB = 12

/** Parts before an onset that it is compared with, and before the next may follow. */
const ONSET_PARTS = 10

/** LU above the integrated loudness. */
const LOUD_LU = 4

/** Shortest stretch, in seconds. */
const MIN_STRETCH = 0.5

const dbOf = (power: number) => (power > 0 ? 10 * Math.log10(power) : Number.NEGATIVE_INFINITY)

/** Runs of values that pass a test, each `seconds` long. */
const stretches = (values: readonly number[], seconds: number, isIn: (value: number) => boolean): Stretch[] => {
  const list: Stretch[] = []
  let from: number | undefined
  for (const [index, value] of [...values, undefined].entries()) {
    const inside = value !== undefined && isIn(value)
    if (inside) from ??= index
    else if (from !== undefined) {
      const stretch = { start: from * seconds, end: index * seconds }
      if (stretch.end - stretch.start >= MIN_STRETCH - 1e-9) list.push(stretch)
      from = undefined
    }
  }
  return list
}

/** Where the levels of 10 ms rise at once. */
const findOnsets = (levels: readonly number[]): number[] => {
  const onsets: number[] = []
  let next = 0
  for (const [index, level] of levels.entries()) {
    if (level < ONSET_DB || index < next) continue
    const before = Math.max(Number.NEGATIVE_INFINITY, ...levels.slice(Math.max(0, index - ONSET_PARTS), index))
    if (level - Math.max(before, SILENCE_DB) < ONSET_RISE_DB) continue
    onsets.push(index / 100)
    next = index + ONSET_PARTS
  }
  return onsets
}

/** Mean squares of the sound of a file in parts of 10 ms. */
const readParts = async (file: string, signal: AbortSignal) => {
  const plain: number[] = []
  const meter = createLoudnessMeter()
  const truePeak = createTruePeak()
  let peak = 0
  let power = 0
  let samples = 0
  const add = (one: number, other: number) => {
    meter.add(one, other)
    truePeak.add(one, other)
    peak = Math.max(peak, Math.abs(one), Math.abs(other))
    power += (one ** 2 + other ** 2) / 2
    if (++samples < PART) return
    plain.push(power / PART)
    power = samples = 0
  }
  await readSamples(file, signal, add)
  return { plain, steps: meter.steps, peak, truePeak: truePeak.result() }
}

/** Measures a wav of 48 kHz stereo floats, as a render mixes it. */
export const measureSound = async (file: string, signal: AbortSignal): Promise<CompositionSound> => {
  const { plain, steps, peak, truePeak } = await readParts(file, signal)
  const levels = plain.map(dbOf)
  const integrated = integrate(steps)
  const isLoud = (power: number) => integrated !== null && power > 0 && loudnessOf(power) >= integrated + LOUD_LU
  return {
    integrated,
    shortTerm: maxShortTerm(steps),
    peak: peak > 0 ? dbOf(peak ** 2) : null,
    truePeak: truePeak.peak > 0 ? dbOf(truePeak.peak ** 2) : null,
    truePeakAt: truePeak.sample / SAMPLE_RATE,
    truePeaks: truePeak.parts.map((value) => (value > 0 ? dbOf(value ** 2) : null)),
    onsets: findOnsets(levels),
    silent: stretches(levels, 0.01, (level) => level < SILENCE_DB),
    loud: stretches(blocksOf(steps), 0.1, isLoud),
  }
}
