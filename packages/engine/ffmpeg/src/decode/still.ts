import { join } from 'node:path'
import type { StillJob } from '@vid/kernel'
import { type FrameRate, type RenderPlan, secondsOf } from '@vid/protocol'
import { writeMedia } from '../encode/media-write.ts'
import { writeLut } from '../hdr/sdr-view.ts'
import { mediaInput } from '../probe/media-input.ts'
import { probeMedia } from '../probe/probe.ts'
import { findFfmpeg } from '../tools/find.ts'
import { QUIET, runProcess } from '../tools/process.ts'
import { outputWrong } from '../verify/output-wrong.ts'
import { decoderOf, IMAGE_CODECS, imageFilters } from './extract.ts'

/** A frame of a video that is written as a picture. */
export interface VideoStillJob extends Pick<StillJob, 'frame' | 'format' | 'path'> {
  /** A finished video whose frames all have the same length. */
  readonly file: string
  readonly plan: Pick<RenderPlan, 'format' | 'fps' | 'alpha' | 'hdr'>
  /** Absolute folder for what the work needs meanwhile. */
  readonly workDir: string
  readonly signal: AbortSignal
}

/** Seeks between a frame and the one before it, whose time stamps may be rounded. */
const seekTo = (frame: number, fps: FrameRate): readonly string[] =>
  frame === 0 ? [] : ['-ss', ((secondsOf(frame - 1, fps) + secondsOf(frame, fps)) / 2).toFixed(6)]

/** Writes one frame of a finished video as a picture in sRGB; of an HDR video, as SDR screens show it. */
export const writeStill = async (job: VideoStillJob): Promise<void> => {
  const { file, frame, format, path, plan, workDir, signal } = job
  const { hdr, alpha, fps } = plan
  const tools = await findFfmpeg({ signal })
  const [stream] = (await probeMedia(file, { signal, tools })).video
  if (!stream) throw outputWrong(plan.format, ['it has no video'])
  const lut = hdr && (await writeLut({ ...hdr, range: 'sdr' }, join(workDir, 'still.cube')))
  const hasAlpha = alpha && format === 'png'
  const filters = imageFilters(stream, { frameFormat: format, alpha: hasAlpha, lut })
  const input = [...decoderOf(stream, hasAlpha), ...seekTo(frame, fps), ...(await mediaInput(file))]
  const picture = ['-map', '0:v:0', '-frames:v', '1', '-vf', filters.join(','), ...IMAGE_CODECS[format]]
  await writeMedia(path, signal, async (partial) => {
    const output = ['-map_metadata', '-1', '-fflags', '+bitexact', '-f', 'image2pipe', '-y', partial]
    await runProcess(tools.ffmpeg, [...QUIET, ...input, ...picture, ...output], signal)
  })
}
