import { createLoudnessMeter, integrate } from './loudness.ts'
import { readSamples } from './read-samples.ts'
import { createTruePeak } from './true-peak.ts'

/** How loud a sound is. */
export interface Loudness {
  /** Integrated loudness in LUFS; null where nothing passes the gate. */
  readonly integrated: number | null
  /** Highest level between samples, dB of full scale; null in silence. */
  readonly truePeak: number | null
  readonly samples: number
}

/** Measures a wav of 48 kHz stereo floats by ITU-R BS.1770. */
export const measureLoudness = async (file: string, signal: AbortSignal): Promise<Loudness> => {
  const meter = createLoudnessMeter()
  const truePeak = createTruePeak()
  let samples = 0
  await readSamples(file, signal, (left, right) => {
    meter.add(left, right)
    truePeak.add(left, right)
    samples += 1
  })
  const { peak } = truePeak.result()
  return {
    integrated: integrate(meter.steps),
    truePeak: peak > 0 ? 20 * Math.log10(peak) : null,
    samples,
  }
}
