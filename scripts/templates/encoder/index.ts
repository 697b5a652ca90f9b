import { appendFile } from 'node:fs/promises'
import { defineEncoder } from '@vid/kernel'

/** Writes the frames' PNG files one after the other. */
export default defineEncoder({
  name: '@vid/encoder-template',
  formats: ['template'],
  accepts: ['png'],
  async encode(frames, segment, { signal }) {
    const file = `${segment.path}.template`
    for await (const { data } of frames) {
      signal.throwIfAborted()
      await appendFile(file, data)
    }
    return { file }
  },
})
