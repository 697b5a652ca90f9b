import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodePngs, findFfmpeg, readPngs, readSettings, verifySequence, writeMedia } from '@vid/ffmpeg'
import { defineEncoder } from '@vid/kernel'
import { PngSettingsSchema, pngSettingsOf } from './settings.ts'
import { encodeAac } from './sound.ts'

export type { PngSettings } from './settings.ts'

const AUDIO = 'audio.aac'
const nameOf = (frame: number) => `frame_${String(frame).padStart(6, '0')}.png`

/** Writes every frame as a PNG image into a folder, with the sound beside them. */
export default defineEncoder({
  name: '@vid/encoder-png-sequence',
  formats: ['png-sequence'],
  accepts: ['rgba', 'png'],
  takes: ['quality'],
  alpha: true,
  extension: '',
  build: async ({ signal }) => `ffmpeg ${(await findFfmpeg({ signal })).build}`,
  settings: pngSettingsOf,
  async encode(frames, { plan, path }, { signal }) {
    const compression = readSettings(PngSettingsSchema, plan.encoder.settings)
    const { width, height, fps } = plan
    const file = `${path}.pngs`
    await encodePngs({ frames, width, height, fps, outputPath: file, signal }, compression)
    return { file }
  },
  async join(segments, audio, { path }, { signal }) {
    await writeMedia(path, signal, async (folder) => {
      await mkdir(folder)
      let frame = 0
      for (const { file } of segments)
        for await (const image of readPngs(file, signal))
          await writeFile(join(folder, nameOf(frame++)), image, { signal })
      if (audio) await encodeAac(audio.file, join(folder, AUDIO), signal)
    })
    return { path }
  },
  verify: (verification, { signal }) => verifySequence(verification, { signal, nameOf, audio: AUDIO }),
})
