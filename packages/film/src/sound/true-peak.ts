/** Half of the interpolation filter of ITU-R BS.1770, annex 2: two of its four phases; the others are these backwards. */
const HALF: readonly (readonly number[])[] = [
  [
    0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875, 0.1373291015625, 0.97216796875,
    -0.102294921875, 0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125,
  ],
  [
    -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625, 0.77978515625,
    -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
  ],
]
const PHASES = [...HALF, ...HALF.map((phase) => [...phase].reverse())].map((phase) => Float64Array.from(phase))

/** Samples that one value between samples is made of. */
const TAPS = 12

/** No value between samples is above the loudest of its samples by more than this factor. */
const MAX_GAIN = Math.max(...PHASES.map((phase) => phase.reduce((sum, value) => sum + Math.abs(value), 0)))

/** Peaks from which each step of the sound is measured between its samples too, not the loudest alone: -3 dB of full scale. */
const LOUD = 10 ** (-3 / 20)

/** The highest value, and the sample that it follows; the highest of each step where that is above `LOUD`. */
export interface TruePeak {
  readonly peak: number
  readonly sample: number
  readonly steps: readonly number[]
}

/** Estimates the highest level between the samples of stereo sound, by four times as many samples; a step has `stepSamples`. */
export const createTruePeak = (stepSamples: number) => {
  const channels = [new Float64Array(2 * TAPS), new Float64Array(2 * TAPS)] as const
  let position = 0
  let count = 0
  let peak = 0
  let sample = 0
  let stepPeak = 0
  const steps: number[] = []
  /** Samples for which a loud one is still in the filter. */
  let loud = 0
  const take = (value: number) => {
    if (value > stepPeak) stepPeak = value
    if (value <= peak) return
    peak = value
    sample = count
  }
  /** Each sample stands twice, so that the last ones are always in a row. */
  const put = (channel: Float64Array, value: number) => {
    channel[position] = value
    channel[position + TAPS] = value
  }
  const interpolate = (channel: Float64Array) => {
    for (const phase of PHASES) {
      let sum = 0
      for (let tap = 0; tap < TAPS; tap++) sum += (phase[tap] ?? 0) * (channel[position + TAPS - tap] ?? 0)
      take(Math.abs(sum))
    }
  }
  const add = (left: number, right: number) => {
    position = (position + 1) % TAPS
    put(channels[0], left)
    put(channels[1], right)
    const value = Math.max(Math.abs(left), Math.abs(right))
    loud = value * MAX_GAIN > Math.min(peak, Math.max(LOUD, stepPeak)) ? TAPS : loud - 1
    take(value)
    if (loud > 0) for (const channel of channels) interpolate(channel)
    count += 1
    if (count % stepSamples > 0) return
    steps.push(stepPeak)
    stepPeak = 0
  }
  return {
    add,
    /** The highest so far; nothing is added after it. */
    result(): TruePeak {
      for (let rest = 0; rest < TAPS; rest++) add(0, 0)
      return { peak, sample, steps: count % stepSamples > 0 ? [...steps, stepPeak] : steps }
    },
  }
}
