/** Bytes before the samples of a wav file that `wavHeader` starts. */
export const WAV_HEADER_BYTES = 58

const MOST_BYTES = 0xffff_ffff

/** Header of a wav file of 32-bit floats; one above 4 GiB says "to the end of the file", as readers know it. */
export const wavHeader = (
  samples: number,
  { sampleRate, channels }: { readonly sampleRate: number; readonly channels: number },
): Uint8Array => {
  const sampleBytes = 4 * channels
  const bytes = samples * sampleBytes
  const header = Buffer.alloc(WAV_HEADER_BYTES)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(Math.min(WAV_HEADER_BYTES - 8 + bytes, MOST_BYTES), 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(18, 16)
  // 3 stands for IEEE floats, which also need the number of samples in a fact chunk.
  header.writeUInt16LE(3, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * sampleBytes, 28)
  header.writeUInt16LE(sampleBytes, 32)
  header.writeUInt16LE(32, 34)
  header.write('fact', 38, 'latin1')
  header.writeUInt32LE(4, 42)
  header.writeUInt32LE(Math.min(samples, MOST_BYTES), 46)
  header.write('data', 50, 'latin1')
  header.writeUInt32LE(Math.min(bytes, MOST_BYTES), 54)
  return header
}
