import { SAMPLE_RATE } from '@vid/ffmpeg'
import { type Biquad, createFilter } from '@vid/ffmpeg/sound-levels'

/** The band that makes speech understood, in Hz. */
const LOW = 300
const HIGH = 3400

/** A Butterworth filter of second order at a frequency. */
const butterworth = (frequency: number, kind: 'low' | 'high'): Biquad => {
  const angle = (2 * Math.PI * frequency) / SAMPLE_RATE
  const alpha = Math.sin(angle) / Math.SQRT2
  const cosine = Math.cos(angle)
  const gain = kind === 'low' ? (1 - cosine) / 2 : (1 + cosine) / 2
  const middle = kind === 'low' ? 2 * gain : -2 * gain
  const whole = 1 + alpha
  return { b: [gain / whole, middle / whole, gain / whole], a: [(-2 * cosine) / whole, (1 - alpha) / whole] }
}

/** Leaves the band of speech of one channel. */
export const createBandFilter = () => {
  const high = createFilter(butterworth(LOW, 'high'))
  const low = createFilter(butterworth(HIGH, 'low'))
  return (sample: number): number => low(high(sample))
}
