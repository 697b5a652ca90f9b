import { writeFile } from 'node:fs/promises'
import { defineSpeaker, Type, withDefault } from '@vid/kernel'

const HEADER_BYTES = 44
const SAMPLE_RATE = 24_000

/** A wav of 16 bits, mono. */
const wavOf = (samples: Int16Array): Uint8Array => {
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(HEADER_BYTES - 8 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(SAMPLE_RATE, 24)
  header.writeUInt32LE(2 * SAMPLE_RATE, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer)])
}

/** Speaks each word as a tone, as long as the word. */
export default defineSpeaker({
  name: '@vid/speaker-template',
  options: Type.Object({
    /** Characters in a second. */
    speed: withDefault(Type.Number({ minimum: 1, maximum: 100 }), 12),
    hertz: withDefault(Type.Number({ minimum: 50, maximum: 5000 }), 220),
  }),
  async speak({ text, path }, { options: { speed, hertz }, signal }) {
    let time = 0
    const words = text
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => {
        const start = time
        // A pause of one character follows.
        time += (word.length + 1) / speed
        return { text: word, start, end: start + word.length / speed }
      })
    const samples = new Int16Array(Math.round(time * SAMPLE_RATE))
    for (const { start, end } of words)
      for (let sample = Math.round(start * SAMPLE_RATE); sample < end * SAMPLE_RATE; sample += 1)
        samples[sample] = Math.round(9000 * Math.sin((2 * Math.PI * hertz * sample) / SAMPLE_RATE))
    signal.throwIfAborted()
    await writeFile(path, wavOf(samples), { signal })
    return { words }
  },
})
