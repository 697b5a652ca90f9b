import { buffer } from 'node:stream/consumers'
import type { Frame, FrameFormat } from '@vid/kernel'
import { type RenderPlan, secondsOf } from '@vid/protocol'
import { evenPad } from '../encode/colour.ts'
import { mediaInput } from '../probe/media-input.ts'
import type { FfmpegTools } from '../tools/find.ts'
import { passthrough } from '../tools/passthrough.ts'
import { QUIET, startProcess } from '../tools/process.ts'
import { PIXEL_VALUES, type SmallPicture } from './picture-measure.ts'

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
  /** Whether frames may be stored in another order than they are shown. */
  readonly isReordered: boolean
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

/** Which pictures of a video are read, and how they are looked up. */
interface Lookup {
  readonly input: readonly string[]
  /** An expression that is true for the frames. */
  readonly chosen: string
}

/** By so much ffmpeg seeks earlier than it is told, in a video whose frames are stored in another order than shown. */
const REORDERING_SECONDS = 3 / 23

/** From the key frame at the first one on, without what lies before it; finds nothing where no key frame is. */
const fromKeyFrame = async (
  { path, plan, decoder = [], isReordered }: VideoPictures,
  indexes: readonly number[],
): Promise<Lookup> => {
  const [first = 0, last = first] = indexes
  // A quarter of a frame late, since time stamps are rounded.
  const start = secondsOf(first + 0.25, plan.fps) + (isReordered ? REORDERING_SECONDS : 0)
  const near = (index: number) => `lt(abs(t-(${secondsOf(index, plan.fps) - start})),${secondsOf(0.5, plan.fps)})`
  const seek = ['-noaccurate_seek', '-ss', `${start}`, '-t', `${secondsOf(last - first + 0.75, plan.fps)}`]
  return { input: [...seek, ...decoder, ...(await mediaInput(path))], chosen: indexes.map(near).join('+') }
}

/** From the key frame before the first one on, wherever that is. */
const fromAnywhere = async (
  { path, plan, decoder = [] }: VideoPictures,
  indexes: readonly number[],
): Promise<Lookup> => {
  const [first = 0] = indexes
  // Half a frame early, since time stamps are rounded.
  const start = secondsOf(Math.max(0, first - 0.5), plan.fps)
  const length = secondsOf((indexes.at(-1) ?? first) - first + 1.25, plan.fps)
  const chosen = indexes.map((index) => `eq(n,${index - first})`).join('+')
  return { input: ['-ss', `${start}`, '-t', `${length}`, ...decoder, ...(await mediaInput(path))], chosen }
}

/** Pictures of a video and those that were captured, all made small in the same way. */
export interface SmallPictures {
  readonly shown: readonly SmallPicture[]
  readonly captured: readonly SmallPicture[]
}

const read = async (
  video: VideoPictures,
  { input, chosen }: Lookup,
  captured: readonly Frame[],
  tools: FfmpegTools,
): Promise<SmallPictures> => {
  const { plan, transparency } = video
  // A gif has colours of a palette, everything else the limited range.
  const colours = transparency === 'binary' ? '' : YUV
  const shown = `[0:v]select='${chosen.replaceAll(',', '\\,')}',${smallFilter(video, { colours, isCaptured: false })}`
  const [sample] = captured
  const captures = sample
    ? `${shown}[v];[1:v]${smallFilter(video, { colours: isPlanar(sample.format) ? YUV : '', isCaptured: true })}[c];[v][c]concat`
    : shown
  const graph = ['-filter_complex', `${captures}[out]`, '-map', '[out]', ...passthrough(tools)]
  const args = [...QUIET, ...input, ...(sample ? framesInput(captured, plan) : []), ...graph]
  const child = startProcess(tools.ffmpeg, [...args, '-f', 'rawvideo', 'pipe:1'], video.signal)
  for (const { data } of captured) child.stdin.write(data)
  child.stdin.end()
  const [pixels] = await Promise.all([buffer(child.stdout), child.finished])
  const size = { width: Math.ceil(plan.width / CELL), height: Math.ceil(plan.height / CELL) }
  const bytes = size.width * size.height * PIXEL_VALUES
  const count = Math.floor(pixels.length / bytes)
  const all = Array.from({ length: count }, (_, index) => ({
    ...size,
    pixels: pixels.subarray(index * bytes, (index + 1) * bytes),
  }))
  const shownCount = Math.max(0, count - captured.length)
  return { shown: all.slice(0, shownCount), captured: all.slice(shownCount) }
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
  const pictures = await read(video, await fromKeyFrame(video, indexes), captured, tools)
  if (pictures.shown.length === indexes.length) return pictures
  return read(video, await fromAnywhere(video, indexes), captured, tools)
}
