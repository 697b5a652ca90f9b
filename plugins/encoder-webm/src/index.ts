import {
  encodeFrames,
  findFfmpeg,
  joinSegments,
  passthrough,
  readSettings,
  ThreadsSchema,
  verifyVideo,
  writeStill,
} from '@vid/ffmpeg'
import { defineEncoder, type FrameFormat, Type, withDefault } from '@vid/kernel'
import { decoder, expectedWebm, fileArgs, segmentArgs, soundArgs, TICK_US } from './arguments.ts'
import { WebmSettingsSchema, webmSettingsOf } from './settings.ts'

export { segmentArgs } from './arguments.ts'
export type { WebmSettings } from './settings.ts'

/** Encodes VP9 with alpha in webm. */
export default defineEncoder({
  name: '@vid/encoder-webm',
  formats: ['webm'],
  accepts: ['yuva420p', 'rgba', 'png'],
  textTracks: true,
  takes: ['quality', 'crf', 'videoBitrate'],
  alpha: true,
  options: Type.Object({
    /** Threads of each encoder. */
    threads: withDefault(ThreadsSchema, 4),
  }),
  build: async ({ signal }) => `ffmpeg ${(await findFfmpeg({ signal })).build}`,
  settings: (request, { threads }) => webmSettingsOf(request, threads),
  async encode(frames, { plan, path, start }, { signal }) {
    const settings = readSettings(WebmSettingsSchema, plan.encoder.settings)
    const { width, height, fps } = plan
    const tools = await findFfmpeg({ signal })
    const file = `${path}.webm`
    const outputArgs = (format: FrameFormat) => [
      ...passthrough(tools),
      ...segmentArgs(format, settings, { width, fps, start }),
    ]
    const job = { frames, width, height, fps, outputArgs, fillsGaps: true }
    await encodeFrames({ ...job, outputPath: file, signal, tools })
    return { file }
  },
  async join(segments, audio, { plan, path }, { signal }) {
    await joinSegments({
      segments: segments.map(({ file }, index) => ({ file, frames: plan.segments[index]?.frames ?? 0 })),
      ...(audio && { audio: { file: audio.file, codecArgs: soundArgs } }),
      textTracks: plan.textTracks,
      chapters: plan.chapters,
      fps: plan.fps,
      tickUs: TICK_US,
      muxerArgs: fileArgs,
      outputPath: path,
      signal,
    })
    return { path }
  },
  still: ({ artifact, ...job }, { signal, workDir }) => writeStill({ ...job, file: artifact.path, workDir, signal }),
  verify: (verification, { signal }) =>
    verifyVideo(verification, expectedWebm, { signal, decoder, transparency: 'gradual' }),
})
