import { rm } from 'node:fs/promises'
import {
  checkCodecSize,
  codecOf,
  deviceArgs,
  encodeFrames,
  type FfmpegTools,
  hdrFrames,
  joinSegments,
  Mp4SettingsSchema,
  mp4FileArgs,
  mp4SegmentArgs,
  readSettings,
} from '@vid/ffmpeg'
import type { Frame, RenderPlan, SegmentJob } from '@vid/kernel'

/** Frames of delay that x264 and x265 add to reorder B-frames; a shorter stream has no delay. */
const REORDER_DELAY = 2

/** Repeats the last frame `count` more times. */
async function* lengthen(frames: AsyncIterable<Frame>, count: number): AsyncGenerator<Frame> {
  let last: Frame | undefined
  for await (const frame of frames) {
    last = frame
    yield frame
  }
  for (let extra = 0; last && extra < count; extra++) yield { ...last, repeat: true }
}

interface EncodingContext {
  readonly signal: AbortSignal
  readonly tools: FfmpegTools
}

/** Whether the only segment is the finished video, unless sound or text tracks are added. */
export const isWhole = ({ segments, hdr, encoder }: Pick<RenderPlan, 'segments' | 'hdr' | 'encoder'>): boolean =>
  // A segment of another codec names its encoder, which a finished file must not.
  segments.length === 1 && !hdr && codecOf(encoder.settings) === 'h264'

/** Encodes a segment and returns its file. All segments have the same decoding delay, so that they join without gaps. */
export const encodeSegment = async (
  capturedFrames: AsyncIterable<Frame>,
  { plan, path, frames: count }: SegmentJob,
  { signal, tools }: EncodingContext,
): Promise<string> => {
  const settings = readSettings(Mp4SettingsSchema, plan.encoder.settings)
  const { width, height, fps, hdr } = plan
  // Before a frame is captured, since the frames are read later.
  checkCodecSize(hdr ? 'hevc' : codecOf(settings), plan)
  const frames = hdr ? hdrFrames(capturedFrames, hdr, plan) : capturedFrames
  const inputArgs = deviceArgs(settings)
  const job = { width, height, fps, signal, tools, inputArgs, fillsGaps: true }
  const file = `${path}.mp4`
  // AV1 is stored in the order in which it is shown.
  const hasDelay = hdr !== undefined || codecOf(settings) !== 'av1'
  if (count > REORDER_DELAY || plan.segments.length === 1 || !hasDelay) {
    const outputArgs = (format: Frame['format']) => [
      ...mp4SegmentArgs(format, settings, plan),
      ...(isWhole(plan) ? mp4FileArgs(plan) : []),
    ]
    await encodeFrames({ ...job, frames, outputArgs, outputPath: file })
    return file
  }
  // Encode enough frames for the delay, all as key frames, so that the extra ones can be cut off again.
  const long = `${path}-long.mp4`
  try {
    const outputArgs = (format: Frame['format']) => [
      '-force_key_frames',
      'expr:1',
      ...mp4SegmentArgs(format, settings, plan),
    ]
    const extra = REORDER_DELAY + 1 - count
    await encodeFrames({ ...job, frames: lengthen(frames, extra), outputArgs, outputPath: long })
    const muxerArgs = ['-frames:v', `${count}`, ...mp4FileArgs(plan)]
    const segments = [{ file: long, frames: REORDER_DELAY + 1 }]
    await joinSegments({ segments, fps, muxerArgs, outputPath: file, signal, tools })
    return file
  } finally {
    await rm(long, { force: true })
  }
}
