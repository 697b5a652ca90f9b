/** How a sound is kept in a wav file. */
export interface WavFormat {
  readonly seconds: number
  /** Samples per second. */
  readonly rate?: number
  readonly channels?: number
  /** 16 for whole numbers, 32 for floats. */
  readonly bits?: 16 | 32
}

const HEADER_BYTES = 44

/** A wav file of a signal, whose value is between -1 and 1 at each time in seconds; by default mono, 48 kHz, 16 bits. */
export const wavOf = (
  signal: (seconds: number) => number,
  { seconds, rate = 48_000, channels = 1, bits = 16 }: WavFormat,
): Uint8Array => {
  const count = Math.round(seconds * rate)
  const sampleBytes = bits / 8
  const frameBytes = sampleBytes * channels
  const bytes = Buffer.alloc(HEADER_BYTES + count * frameBytes)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(bits === 16 ? 1 : 3, 20)
  bytes.writeUInt16LE(channels, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate * frameBytes, 28)
  bytes.writeUInt16LE(frameBytes, 32)
  bytes.writeUInt16LE(bits, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(count * frameBytes, 40)
  for (let sample = 0; sample < count; sample += 1) {
    const value = signal(sample / rate)
    for (let channel = 0; channel < channels; channel += 1) {
      const offset = HEADER_BYTES + sample * frameBytes + channel * sampleBytes
      if (bits === 16) bytes.writeInt16LE(Math.round(value * 32_767), offset)
      else bytes.writeFloatLE(value, offset)
    }
  }
  return bytes
}
