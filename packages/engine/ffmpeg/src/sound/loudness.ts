import { type Biquad, createFilter } from './biquad.ts'
import { SAMPLE_RATE } from './sound-reader.ts'

/** The two filters of the K-weighting of ITU-R BS.1770, at 48 kHz. */
const SHELF: Biquad = {
  b: [1.53512485958697, -2.69169618940638, 1.19839281085285],
  a: [-1.69065929318241, 0.73248077421585],
}
const HIGH_PASS: Biquad = { b: [1, -2, 1], a: [-1.99004745483398, 0.99007225036621] }

/** The K-weighting of one channel. */
export const createWeighting = () => {
  const shelf = createFilter(SHELF)
  const highPass = createFilter(HIGH_PASS)
  return (sample: number): number => highPass(shelf(sample))
}

/** LUFS of a weighted mean square, summed over the channels. */
export const loudnessOf = (power: number): number => -0.691 + 10 * Math.log10(power)

/** LUFS of a block below which it is silence. */
const ABSOLUTE_GATE = -70

/** LU below the mean of all blocks above the first gate. */
const RELATIVE_GATE = 10

/** Steps of 100 ms in a block of 400 ms. */
const STEPS = 4

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Weighted power of each block of 400 ms, or of as many steps of 100 ms as `length`, one begun with each step. */
export const blocksOf = (steps: readonly number[], length = STEPS): number[] =>
  steps.slice(0, Math.max(0, steps.length - length + 1)).map((_, index) => mean(steps.slice(index, index + length)))

/** Integrated loudness of weighted powers of 100 ms each; null where none passes the gate. */
export const integrate = (steps: readonly number[]): number | null => {
  const loud = blocksOf(steps).filter((power) => power > 0 && loudnessOf(power) > ABSOLUTE_GATE)
  if (loud.length === 0) return null
  const gate = loudnessOf(mean(loud)) - RELATIVE_GATE
  const gated = loud.filter((power) => loudnessOf(power) > gate)
  return gated.length === 0 ? null : loudnessOf(mean(gated))
}

/** Samples of a step. */
const STEP = SAMPLE_RATE / 10

/** Adds up the weighted power of 48 kHz stereo in steps of 100 ms. */
export const createLoudnessMeter = () => {
  const left = createWeighting()
  const right = createWeighting()
  const steps: number[] = []
  let power = 0
  let samples = 0
  return {
    /** Those that are complete. */
    steps,
    add(one: number, other: number): void {
      power += left(one) ** 2 + right(other) ** 2
      if (++samples < STEP) return
      steps.push(power / STEP)
      power = samples = 0
    },
  }
}

/** Steps of 100 ms in which the short-term loudness is measured: 3 s. */
const SHORT_TERM_STEPS = 30

/** Highest loudness of 3 s, begun every 100 ms, in LUFS; null where all is shorter or silent. */
export const maxShortTerm = (steps: readonly number[]): number | null => {
  const loudest = blocksOf(steps, SHORT_TERM_STEPS).reduce((most, power) => Math.max(most, power), 0)
  return loudest > 0 ? loudnessOf(loudest) : null
}
