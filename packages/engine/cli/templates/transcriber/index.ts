import { readFile } from 'node:fs/promises'
import { defineTranscriber, type TranscriptCue, Type, withDefault } from '@vid/kernel'

const HEADER_BYTES = 44
const SAMPLE_RATE = 16_000
const STEP = SAMPLE_RATE / 10

/** Marks where something is heard, without its words. */
export default defineTranscriber({
  name: '@vid/transcriber-template',
  options: Type.Object({
    /** The text of a passage. */
    text: withDefault(Type.String({ minLength: 1 }), '[sound]'),
    /** The quietest sample that is heard, from 0 to 1. */
    threshold: withDefault(Type.Number({ minimum: 0, maximum: 1 }), 0.02),
  }),
  async transcribe({ file }, { options: { text, threshold }, signal }) {
    // Every sound arrives as a wav of 16 kHz, mono, 16 bits.
    const sound = (await readFile(file, { signal })).subarray(HEADER_BYTES)
    const samples = Math.floor(sound.length / 2)
    const cues: TranscriptCue[] = []
    for (let first = 0; first < samples; first += STEP) {
      const last = Math.min(samples, first + STEP)
      let peak = 0
      for (let sample = first; sample < last; sample += 1)
        peak = Math.max(peak, Math.abs(sound.readInt16LE(2 * sample)))
      if (peak < threshold * 32_768) continue
      const [start, end] = [first / SAMPLE_RATE, last / SAMPLE_RATE]
      const before = cues.at(-1)
      if (before && before.end === start) cues[cues.length - 1] = { ...before, end }
      else cues.push({ start, end, text })
    }
    return { cues }
  },
})
