/** Samples in a second of the speech synthesizer's voice. */
export const RATE = 16_000

/** A WAV file of 16 bits from channels of samples between -1 and 1. */
export const toWav = (channels, rate = 44_100) => {
  const frames = channels[0].length
  const data = Buffer.alloc(frames * channels.length * 2)
  for (let frame = 0; frame < frames; frame += 1)
    channels.forEach((samples, channel) => {
      const value = Math.max(-1, Math.min(1, samples[frame]))
      data.writeInt16LE(Math.round(value * 32_767), (frame * channels.length + channel) * 2)
    })
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(channels.length, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * channels.length * 2, 28)
  head.writeUInt16LE(channels.length * 2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

/** The samples of a WAV file of 16 bits and one channel. */
export const readWav = (file) => {
  const offset = file.indexOf('data') + 8
  const samples = new Float32Array((file.length - offset) >> 1)
  for (let n = 0; n < samples.length; n += 1) samples[n] = file.readInt16LE(offset + n * 2) / 32_768
  return samples
}
