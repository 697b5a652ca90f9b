import { encodeFrames, findFfmpeg, joinSegments, readSettings, ThreadsSchema, verifyVideo } from '@vid/ffmpeg'
import { defineEncoder, Type, withDefault } from '@vid/kernel'
import { expectedVideo, fileArgs, segmentArgs, soundArgs } from './arguments.ts'
import { MovSettingsSchema, settingsOf } from './settings.ts'

export type { MovSettings } from './settings.ts'

/** Encodes ProRes 4444 with alpha in mov. */
export default defineEncoder({
  name: '@vid/encoder-mov',
  formats: ['mov'],
  accepts: ['rgba', 'png'],
  alpha: true,
  options: Type.Object({
    /** Threads of each encoder. */
    threads: withDefault(ThreadsSchema, 4),
  }),
  build: async ({ signal }) => `ffmpeg ${(await findFfmpeg({ signal })).build}`,
  settings: (request, { threads }) => settingsOf(request, threads),
  async encode(frames, { plan, path }, { signal }) {
    const settings = readSettings(MovSettingsSchema, plan.encoder.settings)
    const { width, height, fps } = plan
    const file = `${path}.mov`
    const outputArgs = () => segmentArgs(settings, fps)
    const job = { frames, width, height, fps, outputArgs, fillsGaps: true }
    await encodeFrames({ ...job, outputPath: file, signal })
    return { file }
  },
  async join(segments, audio, { plan, path }, { signal }) {
    await joinSegments({
      segments: segments.map(({ file }, index) => ({ file, frames: plan.segments[index]?.frames ?? 0 })),
      ...(audio && { audio: { file: audio.file, codecArgs: soundArgs } }),
      fps: plan.fps,
      muxerArgs: fileArgs(plan.fps),
      outputPath: path,
      signal,
    })
    return { path }
  },
  verify: (made, { signal }) => verifyVideo(made, expectedVideo, { signal }),
})
