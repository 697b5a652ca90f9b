import { writeFile } from 'node:fs/promises'
import { defineEncoder } from '@vid/kernel'

/** The format that stills are planned for. */
export const STILL_FORMAT = 'png'

/** Writes the single frame of a segment as the PNG file that was captured. */
export const stillEncoder = defineEncoder({
  name: '@vid/render/still',
  formats: [STILL_FORMAT],
  accepts: ['png'],
  audio: false,
  async encode(frames, { path }, { signal }) {
    const file = `${path}.png`
    for await (const { data } of frames) await writeFile(file, data, { signal })
    return { file }
  },
})
