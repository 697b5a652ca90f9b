import { checkCodecSize, codecOf, encodeFrames, findFfmpeg, readSettings } from '@vid/ffmpeg'
import type { Frame, SegmentJob } from '@vid/kernel'
import { renditionArgs } from './arguments.ts'
import { piecesOf } from './pieces.ts'
import { renditionsOf } from './renditions.ts'
import { HlsSettingsSchema } from './settings.ts'

/** Encodes a segment into one mp4 file with a track for each rendition, and returns its path. */
export const encodeRenditions = async (
  frames: AsyncIterable<Frame>,
  { plan, path, ...segment }: SegmentJob,
  signal: AbortSignal,
): Promise<string> => {
  const settings = readSettings(HlsSettingsSchema, plan.encoder.settings)
  const { width, height, fps } = plan
  const renditions = renditionsOf(plan, settings)
  // Before a frame is captured, since the frames are read later.
  for (const rendition of renditions) checkCodecSize(codecOf(settings), rendition)
  const [first, ...others] = piecesOf(segment, plan, settings)
  const distance = others.length > 0 ? first?.frames : undefined
  const file = `${path}.mp4`
  await encodeFrames({
    frames,
    width,
    height,
    fps,
    fillsGaps: true,
    outputArgs: (format) => renditionArgs(format, plan, settings, { renditions, distance }),
    outputPath: file,
    signal,
    tools: await findFfmpeg({ signal }),
  })
  return file
}
