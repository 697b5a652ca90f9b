import { constants, copyFile } from 'node:fs/promises'
import {
  aacArgs,
  codecBuild,
  codecOf,
  expectedMp4,
  findFfmpeg,
  joinSegments,
  type Mp4Settings,
  mp4FileArgs,
  mp4SettingsOf,
  verifyVideo,
  videoLookahead,
  writeMedia,
  writeStill,
} from '@vid/ffmpeg'
import { defineEncoder, Type, withDefault } from '@vid/kernel'
import { encodeSegment, isWhole } from './segment.ts'

/** Encodes H.264, HEVC or AV1 in mp4: yuv420p, bt709, with the index at the start of the file. HDR plans become HEVC. */
export default defineEncoder({
  name: '@vid/encoder-mp4',
  formats: ['mp4'],
  accepts: ['yuv420p', 'rgba', 'png', 'jpeg', 'yuv420p10'],
  textTracks: true,
  takes: ['quality', 'codec', 'crf', 'videoBitrate'],
  hdr: true,
  hardware: true,
  evenSize: true,
  options: Type.Object({
    /** Threads of each encoder; part of the plan, since the bytes depend on it. */
    threads: withDefault(Type.Integer({ minimum: 1, maximum: 32 }), 4),
  }),
  build: ({ signal }, settings) => codecBuild(codecOf(settings), signal),
  settings: (request, { threads }) => mp4SettingsOf(request, threads),
  lookahead: (settings, size) => videoLookahead(settings as Mp4Settings, size),
  async encode(frames, segment, { signal }) {
    return { file: await encodeSegment(frames, segment, { signal, tools: await findFfmpeg({ signal }) }) }
  },
  async join(segments, audio, { plan, path }, { signal }) {
    const [only] = segments
    if (only && isWhole(plan) && !audio && !plan.textTracks && !plan.chapters) {
      await writeMedia(path, signal, (partial) => copyFile(only.file, partial, constants.COPYFILE_FICLONE))
      return { path }
    }
    await joinSegments({
      segments: segments.map(({ file }, index) => ({ file, frames: plan.segments[index]?.frames ?? 0 })),
      ...(audio && { audio: { file: audio.file, codecArgs: aacArgs } }),
      textTracks: plan.textTracks,
      chapters: plan.chapters,
      fps: plan.fps,
      muxerArgs: mp4FileArgs(plan),
      outputPath: path,
      signal,
    })
    return { path }
  },
  still: ({ artifact, ...job }, { signal, workDir }) => writeStill({ ...job, file: artifact.path, workDir, signal }),
  verify: (verification, { signal }) => verifyVideo(verification, expectedMp4(verification.plan), { signal }),
})
