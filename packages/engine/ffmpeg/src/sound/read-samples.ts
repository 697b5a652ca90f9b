import { createReadStream } from 'node:fs'
import { WAV_HEADER_BYTES } from './wav.ts'

/** Bytes of a sample of both channels, each a 32-bit float. */
const SAMPLE_BYTES = 8

/** Reads 48 kHz stereo floats, sample by sample, from a wav or from behind another header. */
export const readSamples = async (
  file: string,
  signal: AbortSignal,
  onSample: (left: number, right: number) => void,
  headerBytes = WAV_HEADER_BYTES,
): Promise<void> => {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { start: headerBytes, signal }) as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const whole = bytes.length - (bytes.length % SAMPLE_BYTES)
    for (let offset = 0; offset < whole; offset += SAMPLE_BYTES)
      onSample(bytes.readFloatLE(offset), bytes.readFloatLE(offset + 4))
    rest = bytes.subarray(whole)
  }
}
