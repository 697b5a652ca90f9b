import { type Biquad, createFilter } from './biquad.ts'

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

/** Weighted power of each block of 400 ms, one begun every 100 ms; `steps` are those of 100 ms. */
export const blocksOf = (steps: readonly number[]): number[] =>
  steps.slice(0, Math.max(0, steps.length - STEPS + 1)).map((_, index) => mean(steps.slice(index, index + STEPS)))

/** Integrated loudness of weighted powers of 100 ms each; null where none passes the gate. */
export const integrate = (steps: readonly number[]): number | null => {
  const loud = blocksOf(steps).filter((power) => power > 0 && loudnessOf(power) > ABSOLUTE_GATE)
  if (loud.length === 0) return null
  const gate = loudnessOf(mean(loud)) - RELATIVE_GATE
  const gated = loud.filter((power) => loudnessOf(power) > gate)
  return gated.length === 0 ? null : loudnessOf(mean(gated))
}
