/** Length of the header in bytes. */
export const WAV_HEADER_BYTES = 58

const MAX_BYTES = 0xffff_ffff

/** Header of a wav file of 32-bit floats; above 4 GiB the length field is at its maximum, which readers take as open-ended. */
export const wavHeader = (
  samples: number,
  { sampleRate, channels }: { readonly sampleRate: number; readonly channels: number },
): Uint8Array => {
  const sampleBytes = 4 * channels
  const bytes = samples * sampleBytes
  const header = Buffer.alloc(WAV_HEADER_BYTES)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(Math.min(WAV_HEADER_BYTES - 8 + bytes, MAX_BYTES), 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(18, 16)
  // Format 3 is IEEE float, which also needs a fact chunk with the number of samples.
  header.writeUInt16LE(3, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * sampleBytes, 28)
  header.writeUInt16LE(sampleBytes, 32)
  header.writeUInt16LE(32, 34)
  header.write('fact', 38, 'latin1')
  header.writeUInt32LE(4, 42)
  header.writeUInt32LE(Math.min(samples, MAX_BYTES), 46)
  header.write('data', 50, 'latin1')
  header.writeUInt32LE(Math.min(bytes, MAX_BYTES), 54)
  return header
}
