import { buffer } from 'node:stream/consumers'
import { type Frame, type FrameFormat, type RenderPlan, secondsOf } from '@vid/kernel'
import { evenPad } from '../encode/colour.ts'
import { mediaInput } from '../probe/media-input.ts'
import type { FfmpegTools } from '../tools/find.ts'
import { passthrough } from '../tools/passthrough.ts'
import { QUIET, startProcess } from '../tools/process.ts'
import { CHANNELS, type SmallPicture } from './picture-measure.ts'

/** Pixels of a picture in each direction that become one of a small picture. */
const CELL = 6

/** What a format keeps of alpha: every value, or by half whether a pixel is there. */
export type Transparency = 'gradual' | 'binary'

/** A finished video, and how its pictures are read. */
export interface VideoPictures {
  readonly path: string
  readonly plan: RenderPlan
  /** Whether odd sides were made even. */
  readonly isEven: boolean
  /** Input options that choose a decoder. */
  readonly decoder?: readonly string[] | undefined
  /** Left out when the format has no alpha. */
  readonly transparency?: Transparency | undefined
  readonly signal: AbortSignal
}

/** HDR is read as if it were SDR, on both sides. */
const YUV = 'in_color_matrix=bt709:in_range=tv'

const isPlanar = (format: FrameFormat) => format !== 'rgba' && format !== 'png' && format !== 'jpeg'

/** The filters that make pictures small: the same for those of the video and those that were captured. */
const smallFilter = (
  { plan: { width, height }, isEven, transparency }: VideoPictures,
  { colours, isCaptured }: { readonly colours: string; readonly isCaptured: boolean },
): string => {
  const size = `${Math.ceil(width / CELL)}:${Math.ceil(height / CELL)}:flags=area+accurate_rnd+full_chroma_int`
  const pad = isCaptured && isEven ? evenPad(width, height) : []
  const hard = isCaptured && transparency === 'binary' ? ["lutrgb=a='255*gte(val,128)'"] : []
  // What is clear has no colour, so colours count as much as they are seen.
  const seen = transparency ? [...hard, 'premultiply=inplace=1'] : []
  const whole = [...pad, ...seen]
  const steps = whole.length > 0 ? [`scale=${colours}`, `format=${transparency ? 'gbrap' : 'gbrp'}`, ...whole] : []
  const kept = transparency ? [] : ['format=rgb24']
  return [...steps, `scale=${size}${steps.length > 0 ? '' : `:${colours}`}`, ...kept, 'format=rgba', 'setsar=1'].join(
    ',',
  )
}

const framesInput = (frames: readonly Frame[], { width, height }: RenderPlan): string[] => {
  const format = frames[0]?.format ?? 'png'
  if (format === 'png' || format === 'jpeg')
    return ['-f', 'image2pipe', '-c:v', format === 'png' ? 'png' : 'mjpeg', '-framerate', '1', '-i', 'pipe:0']
  const layout = format === 'yuv420p10' ? 'yuv420p10le' : format
  return ['-f', 'rawvideo', '-pix_fmt', layout, '-video_size', `${width}x${height}`, '-framerate', '1', '-i', 'pipe:0']
}

/** The first frames of a video after `first`, at each distance from it. */
const videoInput = async ({ path, plan, decoder = [] }: VideoPictures, first: number, last: number) => {
  // Half a frame early, since time stamps are rounded.
  const start = secondsOf(Math.max(0, first - 0.5), plan.fps)
  const length = secondsOf(last - first + 1.25, plan.fps)
  return ['-ss', `${start}`, '-t', `${length}`, ...decoder, ...(await mediaInput(path))]
}

/** Pictures of a video and those that were captured, all made small in the same way. */
export interface SmallPictures {
  readonly shown: readonly SmallPicture[]
  readonly captured: readonly SmallPicture[]
}

/**
 * Reads pictures of a video, and makes them small together with what was captured, in one run of ffmpeg; `indexes` are
 * those of the frames, `captured` as many frames or none.
 */
export const readSmall = async (
  video: VideoPictures,
  indexes: readonly number[],
  captured: readonly Frame[],
  tools: FfmpegTools,
): Promise<SmallPictures> => {
  const { plan, transparency } = video
  const [first = 0] = indexes
  const inputs = await videoInput(video, first, indexes.at(-1) ?? first)
  // A gif has colours of a palette, everything else the limited range.
  const colours = transparency === 'binary' ? '' : YUV
  const chosen = indexes.map((index) => `eq(n\\,${index - first})`).join('+')
  const shown = `[0:v]select='${chosen}',${smallFilter(video, { colours, isCaptured: false })}`
  const [sample] = captured
  const captures = sample
    ? `${shown}[v];[1:v]${smallFilter(video, { colours: isPlanar(sample.format) ? YUV : '', isCaptured: true })}[c];[v][c]concat`
    : shown
  const graph = ['-filter_complex', `${captures}[out]`, '-map', '[out]', ...passthrough(tools)]
  const args = [...QUIET, ...inputs, ...(sample ? framesInput(captured, plan) : []), ...graph]
  const child = startProcess(tools.ffmpeg, [...args, '-f', 'rawvideo', 'pipe:1'], video.signal)
  for (const { data } of captured) child.stdin.write(data)
  child.stdin.end()
  const [pixels] = await Promise.all([buffer(child.stdout), child.finished])
  const size = { width: Math.ceil(plan.width / CELL), height: Math.ceil(plan.height / CELL) }
  const bytes = size.width * size.height * CHANNELS
  const count = Math.floor(pixels.length / bytes)
  const all = Array.from({ length: count }, (_, index) => ({
    ...size,
    pixels: pixels.subarray(index * bytes, (index + 1) * bytes),
  }))
  const shownCount = Math.max(0, count - captured.length)
  return { shown: all.slice(0, shownCount), captured: all.slice(shownCount) }
}
