import { STRENGTH_RATE } from './onset-strength.ts'

/** Beats in a minute that are looked for. */
const SLOWEST = 50
const FASTEST = 220

/** The tempo that people tap to when several fit, and the octaves in which that fades. */
const USUAL = 120
const OCTAVES = 0.9

/** Beats after which a rhythm is compared with itself. */
const COMB = [1, 2, 3, 4] as const

/** Steps in which lengths of a beat are tried. */
const STEP = 0.1

/** Averages with weights of a bell whose width is `deviation`. */
export const smooth = (values: Float64Array, deviation: number): Float64Array => {
  const reach = Math.ceil(3 * deviation)
  const weights = Float64Array.from({ length: 2 * reach + 1 }, (_, n) =>
    Math.exp(-0.5 * ((n - reach) / deviation) ** 2),
  )
  const sum = weights.reduce((whole, weight) => whole + weight, 0)
  return values.map((_, index) => {
    let mean = 0
    for (let n = -reach; n <= reach; n++) mean += (values[index + n] ?? 0) * (weights[n + reach] ?? 0)
    return mean / sum
  })
}

/** How similar a rhythm is to itself some time later, for each of `count` times. */
const similarities = (strength: Float64Array, count: number): Float64Array => {
  const mean = strength.reduce((sum, value) => sum + value, 0) / strength.length
  const centred = strength.map((value) => value - mean)
  return Float64Array.from({ length: count }, (_, lag) => {
    let sum = 0
    for (let index = lag; index < centred.length; index++) sum += (centred[index] ?? 0) * (centred[index - lag] ?? 0)
    return sum / strength.length
  })
}

/** Length of a beat in values of an onset strength; null without a rhythm. */
export const findBeatLength = (strength: Float64Array): number | null => {
  const shortest = (60 * STRENGTH_RATE) / FASTEST
  const longest = (60 * STRENGTH_RATE) / SLOWEST
  const similar = similarities(smooth(strength, 2), Math.ceil(longest * Math.max(...COMB)) + 2)
  const similarAt = (lag: number) => {
    const before = Math.floor(lag)
    const from = similar[before] ?? 0
    return from + ((similar[before + 1] ?? from) - from) * (lag - before)
  }
  let best: number | null = null
  let highest = 0
  for (let length = shortest; length <= longest; length += STEP) {
    const rhythm = COMB.reduce((sum, beats) => sum + similarAt(beats * length), 0)
    const octaves = Math.log2((60 * STRENGTH_RATE) / length / USUAL) / OCTAVES
    const score = rhythm * Math.exp(-0.5 * octaves ** 2)
    if (score > highest) [best, highest] = [length, score]
  }
  return best
}
