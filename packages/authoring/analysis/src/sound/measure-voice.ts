import { SAMPLE_RATE } from '@vid/ffmpeg'
import { readSamples } from '@vid/ffmpeg/sound-levels'
import { createBandFilter } from './band-filter.ts'

/** What one sound of a mix is like. */
export interface MeasuredVoice {
  /** dB of full scale in each 100 ms: of all, and of the band of speech; -Infinity in silence. */
  readonly levels: readonly number[]
  readonly bandLevels: readonly number[]
  /** dB of full scale in the last 10 ms before its end. */
  readonly endLevel: number
  /** What it sounds like, by how its band of speech comes and goes; null where nothing is heard. */
  readonly sounds: 'speech' | 'other' | null
}

const PART = SAMPLE_RATE / 100
const STEP = 10

/** dB of full scale below which nothing counts. */
const FLOOR = -50

/** Speech pauses: parts of its time that are far below its loudest. */
const MIN_PAUSES = 0.12
const MAX_PAUSES = 0.75
const PAUSE_DB = 14

/** Part of the power of speech that is in its band. */
const MIN_BAND = 0.5

const dbOf = (power: number) => (power > 0 ? 10 * Math.log10(power) : Number.NEGATIVE_INFINITY)

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** Means of some values each, the last of those that are left. */
const steps = (values: readonly number[]): number[] =>
  Array.from({ length: Math.ceil(values.length / STEP) }, (_, index) =>
    mean(values.slice(index * STEP, (index + 1) * STEP)),
  )

/** Judges by powers of 100 ms: speech is in its band, and comes and goes between loud and quiet. */
const judge = (all: readonly number[], band: readonly number[]): MeasuredVoice['sounds'] => {
  const first = all.findIndex((power) => dbOf(power) > FLOOR)
  const last = all.findLastIndex((power) => dbOf(power) > FLOOR)
  if (first < 0 || last - first < STEP) return first < 0 ? null : 'other'
  const heard = band.slice(first, last + 1).map(dbOf)
  const loud = Math.max(...heard)
  const pauses = heard.filter((level) => level < loud - PAUSE_DB).length / heard.length
  const share = mean(band.slice(first, last + 1)) / mean(all.slice(first, last + 1))
  const turns = heard.filter(
    (level, index) => index > 0 && level < loud - PAUSE_DB !== (heard[index - 1] ?? 0) < loud - PAUSE_DB,
  )
  const perSecond = (turns.length / heard.length) * STEP
  return share >= MIN_BAND && pauses >= MIN_PAUSES && pauses <= MAX_PAUSES && perSecond >= 0.7 && perSecond <= 5
    ? 'speech'
    : 'other'
}

/** Measures a wav of 48 kHz stereo floats that holds one sound, which ends at a second of it. */
export const measureVoice = async (file: string, end: number, signal: AbortSignal): Promise<MeasuredVoice> => {
  const filter = createBandFilter()
  const all: number[] = []
  const band: number[] = []
  let power = 0
  let inBand = 0
  let samples = 0
  await readSamples(file, signal, (left, right) => {
    power += (left ** 2 + right ** 2) / 2
    inBand += filter((left + right) / 2) ** 2
    if (++samples < PART) return
    all.push(power / PART)
    band.push(inBand / PART)
    power = inBand = samples = 0
  })
  const last = Math.min(all.length, Math.round(end * 100)) - 1
  return {
    levels: steps(all).map(dbOf),
    bandLevels: steps(band).map(dbOf),
    endLevel: dbOf(Math.max(all[last] ?? 0, all[last - 1] ?? 0)),
    sounds: judge(steps(all), steps(band)),
  }
}
