/** Samples that one value between samples is made of: more than the example of ITU-R BS.1770, annex 2, which is off near half of the rate. */
const TAPS = 32

/** Values for each sample. */
const OVERSAMPLING = 4

/** Shape of the window of the interpolation. */
const KAISER_BETA = 9

/** The modified Bessel function of the first kind and order 0. */
const bessel = (x: number): number => {
  let sum = 1
  let term = 1
  for (let index = 1; term > 1e-12 * sum; index++) {
    term *= (x / (2 * index)) ** 2
    sum += term
  }
  return sum
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

/**
 * Weights of the samples for each place between two of them, whose sum is 1; as 32-bit floats, so that the last digits
 * of a sine, which engines compute differently, decide nothing.
 */
const PHASES = Array.from({ length: OVERSAMPLING }, (_, phase) => {
  const weights = Array.from({ length: TAPS }, (_, tap) => {
    const x = tap - TAPS / 2 + phase / OVERSAMPLING
    return sinc(x) * bessel(KAISER_BETA * Math.sqrt(Math.max(0, 1 - (x / (TAPS / 2)) ** 2)))
  })
  const sum = weights.reduce((whole, weight) => whole + weight, 0)
  return Float32Array.from(weights, (weight) => weight / sum)
})

/** No value between samples is above the loudest of its samples by more than this factor. */
export const MAX_OVERSHOOT = Math.max(...PHASES.map((phase) => phase.reduce((sum, value) => sum + Math.abs(value), 0)))

/** Samples by which an interpolation lags behind what is put into it. */
export const INTERPOLATION_DELAY = TAPS / 2

/** Computes values between the samples of stereo sound. */
export const createInterpolator = () => {
  const channels = [new Float64Array(2 * TAPS), new Float64Array(2 * TAPS)] as const
  let position = 0
  /** Each sample stands twice, so that the last ones are always in a row. */
  const store = (channel: Float64Array, value: number) => {
    channel[position] = value
    channel[position + TAPS] = value
  }
  return {
    put(left: number, right: number): void {
      position = (position + 1) % TAPS
      store(channels[0], left)
      store(channels[1], right)
    },
    /** The highest absolute value from the sample put `INTERPOLATION_DELAY` before the last one to the sample after it. */
    peak(): number {
      let peak = 0
      for (const channel of channels)
        for (const phase of PHASES) {
          let sum = 0
          for (let tap = 0; tap < TAPS; tap++) sum += (phase[tap] ?? 0) * (channel[position + TAPS - tap] ?? 0)
          peak = Math.max(peak, Math.abs(sum))
        }
      return peak
    },
  }
}

/** The highest value, and the sample that it follows. */
export interface TruePeak {
  readonly peak: number
  readonly sample: number
  /** The highest of each 100 ms, where it is above half of full scale; 0 elsewhere. */
  readonly parts: readonly number[]
}

/** Below it, nothing between samples is looked for once something louder was heard. */
const LOUD = 0.5

/** Samples of 100 ms. */
const PART = 4800

/** Estimates the highest level between the samples of stereo sound, by four times as many samples. */
export const createTruePeak = () => {
  const interpolator = createInterpolator()
  let count = 0
  let peak = 0
  let sample = 0
  /** Samples for which a loud one is still in the filter. */
  let loud = 0
  const parts: number[] = []
  const take = (value: number) => {
    const part = Math.floor(count / PART)
    if (value > LOUD && value > (parts[part] ?? 0)) parts[part] = value
    if (value <= peak) return
    peak = value
    sample = count
  }
  const add = (left: number, right: number) => {
    interpolator.put(left, right)
    const value = Math.max(Math.abs(left), Math.abs(right))
    loud = value * MAX_OVERSHOOT > Math.min(peak, LOUD) ? TAPS : loud - 1
    take(value)
    if (loud > 0) take(interpolator.peak())
    count += 1
  }
  return {
    add,
    /** The highest so far; nothing is added after it. */
    result(): TruePeak {
      for (let rest = 0; rest < TAPS; rest++) add(0, 0)
      return {
        peak,
        sample,
        parts: Array.from({ length: Math.ceil((count - TAPS) / PART) }, (_, part) => parts[part] ?? 0),
      }
    },
  }
}
