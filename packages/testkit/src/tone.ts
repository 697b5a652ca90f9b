import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EncodedFile } from '@vid/kernel'

const RATE = 48_000

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
  const count = Math.round(seconds * RATE)
  const bytes = Buffer.alloc(44 + count * 8)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(3, 20)
  bytes.writeUInt16LE(2, 22)
  bytes.writeUInt32LE(RATE, 24)
  bytes.writeUInt32LE(RATE * 8, 28)
  bytes.writeUInt16LE(8, 32)
  bytes.writeUInt16LE(32, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(count * 8, 40)
  for (let sample = Math.round(onset * RATE); sample < count; sample++) {
    const value = level * Math.sin((2 * Math.PI * 1000 * sample) / RATE)
    bytes.writeFloatLE(value, 44 + sample * 8)
    bytes.writeFloatLE(value, 48 + sample * 8)
  }
  const file = join(folder, name)
  await writeFile(file, bytes)
  return { file }
}
