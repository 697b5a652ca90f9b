import { buffer } from 'node:stream/consumers'
import { type Frame, type RenderPlan, secondsOf } from '@vid/kernel'
import { mediaInput } from '../probe/media-input.ts'
import type { FfmpegTools } from '../tools/find.ts'
import { QUIET, startProcess } from '../tools/process.ts'

/** Whether all pixels have about the same colour; `pixels` has `channels` interleaved channels. */
const isPlain = (pixels: Uint8Array, channels: number) =>
  pixels.every((value, index) => Math.abs(value - (pixels[index % channels] ?? 0)) <= 2)

const THUMBNAIL = ['-frames:v', '1', '-vf', 'scale=64:36:flags=area', '-pix_fmt', 'rgba', '-f', 'rawvideo', 'pipe:1']

/** The first picture of an input, scaled down to rgba. */
const thumbnailOf = async (
  input: readonly string[],
  tools: FfmpegTools,
  signal: AbortSignal,
  data?: Uint8Array,
): Promise<Uint8Array> => {
  const child = startProcess(tools.ffmpeg, [...QUIET, ...input, ...THUMBNAIL], signal)
  child.stdin.end(data)
  const [pixels] = await Promise.all([buffer(child.stdout), child.finished])
  return pixels
}

/** The upper eight bits of 10-bit samples. */
const upperBits = ({ buffer: bytes, byteOffset, byteLength }: Uint8Array): Uint8Array =>
  Uint8Array.from(new Uint16Array(bytes.slice(byteOffset, byteOffset + byteLength)), (value) => value >> 2)

/** The planes of a yuv420p or yuva420p picture: luma and alpha have full size, chroma a quarter. */
const planesOf = (samples: Uint8Array, hasAlpha: boolean): Uint8Array[] => {
  const pixels = Math.floor((samples.length * 2) / (hasAlpha ? 5 : 3))
  const chroma = hasAlpha ? pixels / 4 : (samples.length - pixels) / 2
  const ends = [pixels, pixels + chroma, pixels + 2 * chroma, ...(hasAlpha ? [samples.length] : [])]
  return ends.map((end, index) => samples.subarray(ends[index - 1] ?? 0, end))
}

/** Whether a captured frame has one colour. */
export const isPlainFrame = async (
  { format, data }: Frame,
  tools: FfmpegTools,
  signal: AbortSignal,
): Promise<boolean> => {
  if (format === 'rgba') return isPlain(data, 4)
  if (format === 'yuv420p' || format === 'yuva420p' || format === 'yuv420p10') {
    const samples = format === 'yuv420p10' ? upperBits(data) : data
    return planesOf(samples, format === 'yuva420p').every((plane) => isPlain(plane, 1))
  }
  const input = ['-f', 'image2pipe', '-c:v', format === 'png' ? 'png' : 'mjpeg', '-i', 'pipe:0']
  return isPlain(await thumbnailOf(input, tools, signal, data), 4)
}

/** The frame in the middle of a video. */
export const middleOf = ({ frames }: Pick<RenderPlan, 'frames'>): number => Math.floor(frames / 2)

/**
 * Whether a video has one colour in two places: in its middle, and at the start of the segment there, which is the
 * cheapest frame to decode. `decoder` are input options.
 */
export const isPlainVideo = async (
  path: string,
  plan: RenderPlan,
  { decoder = [], signal }: { readonly decoder?: readonly string[]; readonly signal: AbortSignal },
  tools: FfmpegTools,
): Promise<boolean> => {
  const isPlainAt = async (frame: number, seek: readonly string[]) => {
    const time = String(secondsOf(frame, plan.fps))
    const input = [...seek, '-ss', time, ...decoder, ...(await mediaInput(path))]
    return isPlain(await thumbnailOf(input, tools, signal), 4)
  }
  const middle = middleOf(plan)
  const { start } = plan.segments.findLast((segment) => segment.start <= middle) ?? { start: 0 }
  // Half a frame early, since time stamps are rounded.
  return (await isPlainAt(Math.max(0, start - 0.5), ['-skip_frame', 'nokey'])) && isPlainAt(middle, [])
}
