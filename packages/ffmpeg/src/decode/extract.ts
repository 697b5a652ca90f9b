import { join } from 'node:path'
import type { MediaPicture } from '@vid/kernel'
import { type LightLook, writeLook } from '../hdr/sdr-view.ts'
import { TICKS } from '../probe/frame-times.ts'
import type { VideoStream } from '../probe/probe.ts'
import type { FrameSelection } from '../probe/shown-frames.ts'
import type { SourceFile } from '../probe/source.ts'
import type { FfmpegTools } from '../tools/find.ts'
import { type MediaProcess, QUIET, startProcess } from '../tools/process.ts'

/** Frames of a source to write as images. */
export interface ExtractJob extends FrameSelection {
  readonly source: SourceFile & { readonly picture: NonNullable<SourceFile['picture']> }
  readonly frameFormat: MediaPicture['frameFormat']
  /** How an HDR source is shown; left out for all others. */
  readonly look?: LightLook
  /** Absolute folder; files appear in it whole, named `<time stamp in ticks>.<format>`. */
  readonly folder: string
  readonly tools: FfmpegTools
  readonly signal: AbortSignal
}

/** Words of the `colorspace` filter for matrices as streams are tagged. */
const MATRICES: Readonly<Record<string, string>> = {
  bt709: 'bt709',
  smpte170m: 'smpte170m',
  bt470bg: 'bt470bg',
  smpte240m: 'smpte240m',
  fcc: 'fcc',
  bt2020nc: 'bt2020ncl',
}

/** The matrix of a stream; an untagged one is guessed by its primaries or, as browsers do, its height. */
export const matrixOf = ({ matrix, primaries, height }: VideoStream): string =>
  MATRICES[matrix ?? ''] ?? MATRICES[primaries ?? ''] ?? (height < 720 ? 'smpte170m' : 'bt709')

/** Whether square pixels make a width odd, which the filter for colours does not take. */
const hasOddWidth = ({ width, pixelAspect }: VideoStream): boolean =>
  pixelAspect !== undefined && Math.trunc((width * pixelAspect.num) / pixelAspect.den) % 2 === 1

/** To what browsers take a JPEG for, full-range bt601, without a detour through RGB. */
const toJpeg = (stream: VideoStream, range: string): string =>
  /^yuvj?4(?:20|22|44)p(?:1[02]le)?$/.test(stream.pixFmt ?? '') && !hasOddWidth(stream)
    ? `colorspace=ispace=${matrixOf(stream)}:iprimaries=bt709:itrc=bt709:irange=${range}:space=bt470bg:primaries=bt709:trc=bt709:range=pc:format=yuv420p`
    : `${toRgb(stream, range, 'rgb24')},scale=out_color_matrix=bt601:out_range=pc:${EXACT},format=yuvj420p`

/** Otherwise a PNG would carry the video's transfer curve, which browsers apply to images and not to videos. */
const AS_SRGB = 'setparams=color_primaries=bt709:color_trc=iec61966-2-1'

const EXACT = 'flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact'

const toRgb = (stream: VideoStream, range: string, format: string): string => {
  const matrix = matrixOf(stream).replace('smpte170m', 'bt601').replace('bt470bg', 'bt601').replace('ncl', '')
  return `scale=in_color_matrix=${matrix}:in_range=${range}:${EXACT},format=${format}`
}

/** Through the table of a look, at more than eight bits. */
const toLook = (
  stream: VideoStream,
  range: string,
  frameFormat: ExtractJob['frameFormat'],
  table: string,
) => {
  const shown = [toRgb(stream, range, 'rgb48le'), table, `scale=${EXACT}`, 'format=rgb24'].join(',')
  return frameFormat === 'png'
    ? `${shown},${AS_SRGB}`
    : `${shown},scale=out_color_matrix=bt601:out_range=pc:${EXACT},format=yuvj420p`
}

/** Whether the numbers of a stream fill their range, or leave room at its ends. */
export const rangeOf = ({ range, pixFmt = '' }: VideoStream): 'pc' | 'tv' =>
  range === 'pc' || /^(?:yuvj|rgb|bgr|gbr|argb|abgr)/.test(pixFmt) ? 'pc' : 'tv'

const filterOf = ({ source, frameFormat, fromTick, stride }: ExtractJob, table?: string): string => {
  const { stream, alpha } = source.picture
  const range = rangeOf(stream)
  return [
    // Half a tick early: time stamps here are not rounded to ticks.
    `select=gte(t\\,${(fromTick - 0.6) / TICKS})`,
    ...(stride > 1 ? [`select=not(mod(n\\,${stride}))`] : []),
    ...(stream.pixelAspect ? ['scale=iw*sar:ih', 'setsar=1'] : []),
    ...(table !== undefined
      ? [toLook(stream, range, frameFormat, table)]
      : frameFormat === 'jpg'
        ? [toJpeg(stream, range)]
        : [toRgb(stream, range, alpha ? 'rgba' : 'rgb24'), AS_SRGB]),
  ].join(',')
}

/** Seconds that may be decoded before the first wanted frame rather than jumped over. */
const NEAR_S = 2

const decoderOf = ({ codec }: VideoStream, alpha: boolean): readonly string[] => {
  // ffmpeg's own decoders of these leave the alpha plane out.
  if (alpha && codec === 'vp9') return ['-c:v', 'libvpx-vp9']
  return alpha && codec === 'vp8' ? ['-c:v', 'libvpx'] : []
}

const CODECS = {
  jpg: ['-c:v', 'mjpeg', '-q:v', '2', '-huffman', 'default'],
  png: ['-c:v', 'png', '-compression_level', '1', '-pred', 'sub'],
} as const

/** Starts writing frames of a source as images, in order; the process has ended well when all are there. */
export const startExtraction = async (job: ExtractJob): Promise<MediaProcess> => {
  const { source, frameFormat, folder, fromTick, count, look, tools, signal } = job
  const table = look && (await writeLook(look, join(folder, 'look.cube')))
  const { stream, alpha } = source.picture
  const from = fromTick / TICKS - NEAR_S
  const child = startProcess(
    tools.ffmpeg,
    [
      ...[...QUIET, '-nostdin', '-copyts', ...decoderOf(stream, alpha)],
      // Time stamps are those of the file: ffmpeg would add its beginning to where to jump.
      ...(source.hasIndex && from > source.origin ? ['-seek_timestamp', '1', '-ss', from.toFixed(4)] : []),
      ...['-protocol_whitelist', 'file', '-i', `file:${source.file}`, '-map', `0:${stream.index}`],
      ...['-vf', filterOf(job, table), '-frames:v', String(count)],
      ...(tools.avutil >= 58 ? ['-fps_mode', 'passthrough'] : ['-vsync', '0']),
      ...['-enc_time_base', `1/${TICKS}`, ...CODECS[frameFormat], '-map_metadata', '-1'],
      ...[
        '-f',
        'image2',
        '-frame_pts',
        '1',
        '-atomic_writing',
        '1',
        join(folder.replaceAll('%', '%%'), `%d.${frameFormat}`),
      ],
    ],
    signal,
  )
  child.stdin.end()
  child.stdout.resume()
  return child
}
