import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EncodedFile } from '@vid/kernel'
import { wavOf } from './wav.ts'

const HERTZ = 1000

/** A tone of 1000 Hz. */
export interface Tone {
  readonly seconds: number
  /** Seconds of silence before it. */
  readonly onset: number
  /** Part of full scale; half of it by default. */
  readonly level?: number
  /** Name of its file, by default `tone.wav`. */
  readonly name?: string
}

/** Writes a tone in the mixer's format, a 32-bit float wav of 48 kHz stereo. */
export const toneFile = async (
  folder: string,
  { seconds, onset, level = 0.5, name = 'tone.wav' }: Tone,
): Promise<EncodedFile> => {
  const signal = (time: number) => (time < onset ? 0 : level * Math.sin(2 * Math.PI * HERTZ * time))
  const file = join(folder, name)
  await writeFile(file, wavOf(signal, { seconds, channels: 2, bits: 32 }))
  return { file }
}
