import {
  aacArgs,
  encodeDistinct,
  findFfmpeg,
  joinProres,
  readDistinct,
  readSettings,
  ThreadsSchema,
  verifyVideo,
  writeStill,
} from '@vid/ffmpeg'
import { defineEncoder, type EncodedFile, Type, withDefault } from '@vid/kernel'
import { expectedMov, movFileArgs, pictureArgs, pictureBytes, TAG } from './arguments.ts'
import { MovSettingsSchema, movSettingsOf } from './settings.ts'

export { pictureArgs } from './arguments.ts'
export type { MovSettings } from './settings.ts'

async function* picturesOf(segments: readonly EncodedFile[], signal: AbortSignal): AsyncGenerator<Buffer> {
  for (const { file } of segments) yield* readDistinct(file, pictureBytes, signal)
}

/** Encodes ProRes 4444 with alpha in mov. */
export default defineEncoder({
  name: '@vid/encoder-mov',
  formats: ['mov'],
  accepts: ['rgba', 'png'],
  textTracks: true,
  takes: ['quality'],
  alpha: true,
  options: Type.Object({
    /** Threads of each encoder. */
    threads: withDefault(ThreadsSchema, 4),
  }),
  build: async ({ signal }) => `ffmpeg ${(await findFfmpeg({ signal })).build}`,
  settings: (request, { threads }) => movSettingsOf(request, threads),
  async encode(frames, { plan, path }, { signal }) {
    const settings = readSettings(MovSettingsSchema, plan.encoder.settings)
    const { width, height, fps } = plan
    const file = `${path}.prores`
    const outputArgs = () => pictureArgs(settings)
    await encodeDistinct({ frames, width, height, fps, outputArgs, outputPath: file, signal })
    return { file }
  },
  async join(segments, audio, { plan, path }, { signal }) {
    const { width, height, fps } = plan
    await joinProres({
      pictures: picturesOf(segments, signal),
      tag: TAG,
      depth: 32,
      width,
      height,
      fps,
      ...(audio && { audio: { file: audio.file, codecArgs: aacArgs } }),
      textTracks: plan.textTracks,
      chapters: plan.chapters,
      muxerArgs: movFileArgs(fps),
      outputPath: path,
      signal,
    })
    return { path }
  },
  still: ({ artifact, ...job }, { signal, workDir }) => writeStill({ ...job, file: artifact.path, workDir, signal }),
  verify: (verification, { signal }) => verifyVideo(verification, expectedMov, { signal, transparency: 'gradual' }),
})
