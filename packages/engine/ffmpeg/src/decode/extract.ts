import { join } from 'node:path'
import type { MediaPicture } from '@vid/protocol'
import { type SdrView, writeLut } from '../hdr/sdr-view.ts'
import { COUNTED, TICKS } from '../probe/frame-times.ts'
import { startMediaRead } from '../probe/media-read.ts'
import type { Mirror, VideoStream } from '../probe/probe.ts'
import type { FrameSelection } from '../probe/shown-frames.ts'
import type { SourceFile } from '../probe/source.ts'
import type { FfmpegTools } from '../tools/find.ts'
import { passthrough } from '../tools/passthrough.ts'
import { type MediaProcess, QUIET } from '../tools/process.ts'

/** Frames of a source to write as images. */
export interface ExtractJob extends FrameSelection {
  readonly source: SourceFile & { readonly picture: NonNullable<SourceFile['picture']> }
  readonly frameFormat: MediaPicture['frameFormat']
  /** How an HDR source is converted for the page; absent for SDR. */
  readonly view?: SdrView
  /** Absolute folder; each file in it is complete as soon as it exists, and is named `<time stamp in ticks>.<format>`. */
  readonly folder: string
  readonly tools: FfmpegTools
  readonly signal: AbortSignal
}

/** The `colorspace` filter's name of each colour matrix that streams are tagged with. */
const MATRICES: Readonly<Record<string, string>> = {
  bt709: 'bt709',
  smpte170m: 'smpte170m',
  bt470bg: 'bt470bg',
  smpte240m: 'smpte240m',
  fcc: 'fcc',
  bt2020nc: 'bt2020ncl',
}

/** The colour matrix of a stream. Without a tag it is inferred from the primaries or, as browsers do, from the height. */
export const matrixOf = ({ matrix, primaries, height }: VideoStream): string =>
  MATRICES[matrix ?? ''] ?? MATRICES[primaries ?? ''] ?? (height < 720 ? 'smpte170m' : 'bt709')

/** Whether a side is odd once the picture is turned and has square pixels, which the `colorspace` filter does not accept. */
const hasOddSide = ({ width, height, pixelAspect = { num: 1, den: 1 }, rotation = 0 }: VideoStream): boolean => {
  const { num, den } = pixelAspect
  // ffmpeg turns pixels with their picture, before their sides are made equal.
  const [across, down] = Math.abs(rotation) % 180 === 90 ? [(height * den) / num, width] : [(width * num) / den, height]
  return Math.trunc(across) % 2 === 1 || down % 2 === 1
}

/** Whether the samples of a stream are already those of a JPEG: the two tags of its matrix have the same numbers. */
const isLikeJpeg = (stream: VideoStream, range: string): boolean =>
  range === 'pc' && /^yuvj?420p$/.test(stream.pixFmt ?? '') && /^(?:bt470bg|smpte170m)$/.test(matrixOf(stream))

/** Filter to full-range bt601, which browsers assume for a JPEG; where possible without a detour through RGB. */
const toJpeg = (stream: VideoStream, range: string): string => {
  // The `colorspace` filter fails where it has nothing to convert and the two names of the format differ.
  if (isLikeJpeg(stream, range)) return 'setparams=range=pc,format=yuvj420p'
  return /^yuvj?4(?:20|22|44)p(?:1[02]le)?$/.test(stream.pixFmt ?? '') && !hasOddSide(stream)
    ? `colorspace=ispace=${matrixOf(stream)}:iprimaries=bt709:itrc=bt709:irange=${range}:space=bt470bg:primaries=bt709:trc=bt709:range=pc:format=yuv420p`
    : `${toRgb(stream, range, 'rgb24')},scale=out_color_matrix=bt601:out_range=pc:${EXACT},format=yuvj420p`
}

/** Tags a PNG as sRGB: browsers would apply the video's transfer function to an image, but not to a video. */
const AS_SRGB = 'setparams=color_primaries=bt709:color_trc=iec61966-2-1'

/** Options of a scaling whose result does not depend on the processor. */
export const EXACT = 'flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact'

const toRgb = (stream: VideoStream, range: string, format: string): string => {
  const matrix = matrixOf(stream).replace('smpte170m', 'bt601').replace('bt470bg', 'bt601').replace('ncl', '')
  return `scale=in_color_matrix=${matrix}:in_range=${range}:${EXACT},format=${format}`
}

/** Filter that applies the LUT of an HDR view, at more than eight bits. */
const toView = (stream: VideoStream, range: string, frameFormat: ExtractJob['frameFormat'], lut: string) => {
  const filters = [toRgb(stream, range, 'rgb48le'), lut, `scale=${EXACT}`, 'format=rgb24'].join(',')
  return frameFormat === 'png'
    ? `${filters},${AS_SRGB}`
    : `${filters},scale=out_color_matrix=bt601:out_range=pc:${EXACT},format=yuvj420p`
}

/** Range of a stream's samples: `pc` is full range, `tv` limited range. */
export const rangeOf = ({ range, pixFmt = '' }: VideoStream): 'pc' | 'tv' =>
  range === 'pc' || /^(?:yuvj|rgb|bgr|gbr|argb|abgr)/.test(pixFmt) ? 'pc' : 'tv'

/** Filters from the pixels of a stream to those of an image that browsers show alike; `lut` is the filter of a view. */
export const imageFilters = (
  stream: VideoStream,
  {
    frameFormat,
    alpha,
    lut,
  }: { readonly alpha: boolean; readonly lut: string | undefined } & Pick<ExtractJob, 'frameFormat'>,
): readonly string[] => {
  const range = rangeOf(stream)
  if (lut !== undefined) return [toView(stream, range, frameFormat, lut)]
  if (frameFormat === 'jpg') return [toJpeg(stream, range)]
  return [toRgb(stream, range, alpha ? 'rgba' : 'rgb24'), AS_SRGB]
}

/** Filters that turn a picture over. */
const MIRRORS: Readonly<Record<Mirror, string>> = {
  upright: 'hflip',
  level: 'vflip',
  main: 'transpose=cclock_flip',
  other: 'transpose=clock_flip',
}

const filterOf = ({ source, frameFormat, fromTick, stride }: ExtractJob, isCounted: boolean, lut?: string): string => {
  const { stream, alpha } = source.picture
  return [
    ...(isCounted ? [`settb=1/${TICKS}`, `setpts=N*${COUNTED}`] : []),
    // Half a tick early: time stamps here are not rounded to ticks.
    `select=gte(t\\,${(fromTick - 0.6) / TICKS})`,
    ...(stride > 1 ? [`select=not(mod(n\\,${stride}))`] : []),
    ...(stream.mirror ? [MIRRORS[stream.mirror]] : []),
    ...(stream.pixelAspect ? ['scale=iw*sar:ih', 'setsar=1'] : []),
    ...imageFilters(stream, { frameFormat, alpha, lut }),
  ].join(',')
}

/** Seconds before the first wanted frame at which the seek lands; what lies between is decoded. */
const SEEK_MARGIN_S = 2

/** Input options with which the alpha plane of a stream is decoded. */
export const decoderOf = ({ codec }: VideoStream, alpha: boolean): readonly string[] => {
  // ffmpeg's native decoders of VP8 and VP9 drop the alpha plane.
  if (alpha && codec === 'vp9') return ['-c:v', 'libvpx-vp9']
  return alpha && codec === 'vp8' ? ['-c:v', 'libvpx'] : []
}

/** Output options of each format of images. */
export const IMAGE_CODECS = {
  jpg: ['-c:v', 'mjpeg', '-q:v', '2', '-huffman', 'default'],
  png: ['-c:v', 'png', '-compression_level', '1', '-pred', 'sub'],
} as const

/** Starts writing frames of a source as images, in order; all of them exist once the process has succeeded. */
export const startExtraction = async (job: ExtractJob): Promise<MediaProcess> => {
  const { source, frameFormat, folder, fromTick, count, view, tools, signal } = job
  const lut = view && (await writeLut(view, join(folder, 'view.cube')))
  const { stream, alpha } = source.picture
  const from = fromTick / TICKS - SEEK_MARGIN_S
  const isCounted = (await source.frameTimes(signal)).estimated !== undefined
  const before = [
    ...QUIET,
    '-nostdin',
    '-copyts',
    ...decoderOf(stream, alpha),
    // Old versions of ffmpeg only turn pictures, and do not turn them over.
    ...(stream.mirror ? ['-noautorotate'] : []),
    // Seek by the file's own time stamps: otherwise ffmpeg adds the start time of the file to the position, as it does
    // where it drops frames before that position.
    ...(source.hasIndex && !isCounted && from > source.origin
      ? ['-noaccurate_seek', '-seek_timestamp', '1', '-ss', from.toFixed(4)]
      : []),
  ]
  const after = [
    '-map',
    `0:${stream.index}`,
    '-vf',
    filterOf(job, isCounted, lut),
    '-frames:v',
    String(count),
    ...passthrough(tools),
    '-enc_time_base',
    `1/${TICKS}`,
    ...IMAGE_CODECS[frameFormat],
    '-map_metadata',
    '-1',
    '-f',
    'image2',
    '-frame_pts',
    '1',
    '-atomic_writing',
    '1',
    join(folder.replaceAll('%', '%%'), `%d.${frameFormat}`),
  ]
  const command = { program: tools.ffmpeg, before, file: source.file, after, writes: folder }
  const child = await startMediaRead(command, signal)
  child.stdout.resume()
  return child
}
