import { open } from 'node:fs/promises'
import { encodePngs, findFfmpeg, readSettings, verifyVideo, writeMedia } from '@vid/ffmpeg'
import { defineEncoder } from '@vid/kernel'
import { gifBytes } from './gif-file.ts'
import { findPalette, pixelsOf } from './palette.ts'
import { GifSettingsSchema, gifSettingsOf } from './settings.ts'

export type { GifSettings } from './settings.ts'

/** Encodes gif with one palette for the whole video; segments are stored as images until they are joined. */
export default defineEncoder({
  name: '@vid/encoder-gif',
  formats: ['gif'],
  accepts: ['rgba', 'png'],
  takes: ['quality', 'gifLoop'],
  alpha: 'optional',
  audio: false,
  maxFps: 30,
  build: async ({ signal }) => `ffmpeg ${(await findFfmpeg({ signal })).build}`,
  settings: gifSettingsOf,
  async encode(frames, { plan, path }, { signal }) {
    const { width, height, fps } = plan
    const file = `${path}.pngs`
    const compression = { level: 1, pred: 'up' } as const
    await encodePngs({ frames, width, height, fps, outputPath: file, signal }, compression)
    return { file }
  },
  async join(segments, _audio, { plan, path }, { signal }) {
    const { colours, loop } = readSettings(GifSettingsSchema, plan.encoder.settings)
    const { width, height, fps } = plan
    const files = segments.map(({ file }) => file)
    const images = { files, width, height, signal, tools: await findFfmpeg({ signal }) }
    await writeMedia(path, signal, async (partial) => {
      const palette = await findPalette(images, colours)
      const frames = pixelsOf(images)
      const handle = await open(partial, 'w')
      try {
        for await (const bytes of gifBytes({ width, height, fps, loop, palette, frames }))
          await handle.appendFile(bytes)
      } finally {
        await handle.close()
      }
    })
    return { path }
  },
  verify: (verification, { signal }) =>
    verifyVideo(
      verification,
      { container: 'gif', video: { codec: 'gif' } },
      // Pixels below half opacity become transparent.
      { signal, transparency: 'binary' },
    ),
})
