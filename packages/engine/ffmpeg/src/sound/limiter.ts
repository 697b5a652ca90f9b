import { CHANNELS, SAMPLE_RATE } from './sound-reader.ts'
import { createInterpolator, INTERPOLATION_DELAY, MAX_OVERSHOOT } from './true-peak.ts'

/** Samples over which the gain falls before a peak: 5 ms. */
const ATTACK = SAMPLE_RATE / 200

/** Part of the way back to no reduction that each sample goes: 63 % of it in 80 ms. */
const RELEASE = 1 / (0.08 * SAMPLE_RATE)

/** Samples by which the result of a limiter lags behind its input. */
export const LIMITER_DELAY = INTERPOLATION_DELAY + ATTACK

/** The smallest of the last `length` values. */
const createSlidingMinimum = (length: number) => {
  const size = length + 1
  const values = new Float64Array(size)
  const positions = new Float64Array(size)
  let head = 0
  let tail = 0
  let position = 0
  return (value: number): number => {
    while (tail > head && (values[(tail - 1) % size] ?? 0) >= value) tail--
    values[tail % size] = value
    positions[tail % size] = position
    tail++
    if ((positions[head % size] ?? 0) <= position - length) head++
    position++
    return values[head % size] ?? value
  }
}

/** The mean of the last `length` values, which were 1 before the first. */
const createSlidingMean = (length: number) => {
  const values = new Float64Array(length).fill(1)
  let sum = length
  let position = 0
  return (value: number): number => {
    sum += value - (values[position] ?? 0)
    values[position] = value
    position = (position + 1) % length
    return sum / length
  }
}

/** The gain of a limiter from the highest level of each sample: it falls before a peak, and rises slowly after it. */
const createReduction = (ceiling: number) => {
  const minimum = createSlidingMinimum(ATTACK + 1)
  const mean = createSlidingMean(ATTACK + 1)
  let before = 0
  let released = 1
  return (peak: number): number => {
    const loudest = Math.max(peak, before)
    before = peak
    const limit = loudest > ceiling ? ceiling / loudest : 1
    released = limit < released ? limit : released + (limit - released) * RELEASE
    // Each mean consists of minimums whose ranges contain its sample, so that it is never above that sample's limit.
    return mean(minimum(released))
  }
}

/**
 * A limiter of 48 kHz stereo for true peaks: multiplies by `factor`, and turns down what would be above `ceiling`,
 * between the samples too. It takes pieces in order and returns as many samples, `LIMITER_DELAY` late.
 */
export const createLimiter = ({ factor, ceiling }: { readonly factor: number; readonly ceiling: number }) => {
  const interpolator = createInterpolator()
  const reduction = createReduction(ceiling)
  const delayed = new Float64Array(LIMITER_DELAY * CHANNELS)
  let position = 0
  /** Samples for which a loud one is still in the interpolation. */
  let loud = 0
  return (piece: Float32Array): Float32Array => {
    const result = new Float32Array(piece.length)
    for (let n = 0; n < piece.length; n += CHANNELS) {
      const left = (piece[n] ?? 0) * factor
      const right = (piece[n + 1] ?? 0) * factor
      interpolator.put(left, right)
      loud = Math.max(Math.abs(left), Math.abs(right)) * MAX_OVERSHOOT > ceiling ? 2 * INTERPOLATION_DELAY : loud - 1
      const gain = reduction(loud > 0 ? interpolator.peak() : 0)
      result[n] = (delayed[position] ?? 0) * gain
      result[n + 1] = (delayed[position + 1] ?? 0) * gain
      delayed[position] = left
      delayed[position + 1] = right
      position = (position + CHANNELS) % delayed.length
    }
    return result
  }
}
