import { defined, describeCause, isMachineFault, isVidError, type Static, Type, Value } from '@vid/protocol'
import { fail } from '../errors.ts'
import { type FfmpegTools, findFfmpeg } from '../tools/find.ts'
import { ERRORS_ONLY } from '../tools/process.ts'
import { readMedia } from './media-read.ts'

const Text = Type.Optional(Type.String())
const Tags = Type.Optional(Type.Record(Type.String(), Type.String()))
const PrintedStream = Type.Object({
  index: Type.Integer(),
  codec_type: Text,
  codec_name: Text,
  profile: Text,
  codec_tag_string: Text,
  width: Type.Optional(Type.Integer()),
  height: Type.Optional(Type.Integer()),
  pix_fmt: Text,
  r_frame_rate: Text,
  avg_frame_rate: Text,
  start_time: Text,
  duration: Text,
  nb_frames: Text,
  nb_read_frames: Text,
  nb_read_packets: Text,
  color_range: Text,
  color_space: Text,
  color_transfer: Text,
  color_primaries: Text,
  sample_rate: Text,
  channels: Type.Optional(Type.Integer()),
  sample_aspect_ratio: Text,
  time_base: Text,
  has_b_frames: Type.Optional(Type.Integer()),
  disposition: Type.Optional(Type.Record(Type.String(), Type.Number())),
  side_data_list: Type.Optional(
    Type.Array(Type.Object({ rotation: Type.Optional(Type.Number()), displaymatrix: Text })),
  ),
  tags: Tags,
})
const Printed = Type.Object({
  streams: Type.Array(PrintedStream),
  format: Type.Object({ format_name: Text, duration: Text, start_time: Text, size: Text, tags: Tags }),
})
type PrintedStream = Static<typeof PrintedStream>

/** An exact number of frames per second. */
export interface Rational {
  readonly num: number
  readonly den: number
}

interface StreamBase {
  readonly index: number
  readonly codec: string
  /** FourCC in the container, such as `avc1`. */
  readonly codecTag?: string
  readonly profile?: string
  /** Seconds. */
  readonly start?: number
  /** Seconds. */
  readonly duration?: number
  /** True when players choose it among several of its kind. */
  readonly isDefault?: true
  readonly tags: Readonly<Record<string, string>>
}

/** An axis at which a picture is turned over: `main` leaves the left top where it is, `other` the right top. */
export type Mirror = 'upright' | 'level' | 'main' | 'other'

/** A video or image stream. */
export interface VideoStream extends StreamBase {
  readonly type: 'video'
  readonly width: number
  readonly height: number
  readonly pixFmt?: string
  /** Undefined when the file does not state it, as for an image. */
  readonly fps?: Rational
  /** From the container, or counted when `ProbeOptions` request it. */
  readonly frames?: number
  /** Colour tags by ffmpeg's names; absent when the stream is untagged. */
  readonly range?: string
  readonly matrix?: string
  readonly transfer?: string
  readonly primaries?: string
  /** Pixel aspect ratio, width over height; absent for square pixels. */
  readonly pixelAspect?: Rational
  /** Degrees by which a player rotates the picture. */
  readonly rotation?: number
  /** How a player turns the picture over: at an upright or a level axis, or at one of the diagonals. */
  readonly mirror?: Mirror
  /** Seconds per unit of the stream's time stamps. */
  readonly timeBase?: Rational
  /** True when frames may be shown in another order than they are stored. */
  readonly reorders?: true
  /** True for the cover of a sound file. */
  readonly isCover?: true
}

/** A sound stream. */
export interface AudioStream extends StreamBase {
  readonly type: 'audio'
  /** Hz. */
  readonly sampleRate: number
  readonly channels: number
}

/** A stream of texts, such as captions. */
export interface TextStream extends StreamBase {
  readonly type: 'text'
}

/** Streams of a media file, without those that are neither picture nor sound nor text. */
export interface MediaInfo {
  /** ffmpeg's container names, comma-separated. */
  readonly container: string
  /** Seconds. */
  readonly duration?: number
  /** Time stamp of the first sample, seconds. */
  readonly start?: number
  readonly video: readonly VideoStream[]
  readonly audio: readonly AudioStream[]
  readonly text: readonly TextStream[]
  readonly tags: Readonly<Record<string, string>>
  /** True when ffprobe reported errors in what it read. */
  readonly hasErrors?: true
}

/** How thoroughly a file is probed. */
export interface ProbeOptions {
  /** Decodes the whole file to count its frames. */
  readonly countFrames?: boolean
  /** Reads the whole file to count its packets, which are frames in what this package encodes. */
  readonly countPackets?: boolean
  readonly signal?: AbortSignal
  /** Default: what `findFfmpeg()` finds. */
  readonly tools?: FfmpegTools
}

const numberOf = (text: string | undefined) => {
  const value = Number(text ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}

const rational = (text: string | undefined): Rational | undefined => {
  const [num, den] = (text ?? '').split('/').map(Number)
  return num && den ? { num, den } : undefined
}

const aspect = (text: string | undefined): Rational | undefined => {
  const ratio = rational(text?.replace(':', '/'))
  return ratio && ratio.num !== ratio.den ? ratio : undefined
}

const tagOf = (tag: string | undefined) => (tag === 'unknown' ? undefined : tag)

const baseOf = (stream: PrintedStream) => ({
  index: stream.index,
  codec: stream.codec_name ?? 'unknown',
  codecTag: stream.codec_tag_string,
  profile: stream.profile,
  start: numberOf(stream.start_time),
  duration: numberOf(stream.duration),
  isDefault: stream.disposition?.default === 1 ? (true as const) : undefined,
  tags: stream.tags ?? {},
})

/** The axis at which a display matrix, as ffprobe prints it, turns a picture over; undefined when it does not. */
const mirrorOf = (printed: string | undefined): Mirror | undefined => {
  const cells = (printed ?? '').split('\n').flatMap((row) => row.split(':')[1]?.trim().split(/\s+/).map(Number) ?? [])
  const [a = 0, b = 0, , c = 0, d = 0] = cells
  if (a * d - b * c >= 0) return undefined
  if (a !== 0) return a < 0 ? 'upright' : 'level'
  return b > 0 ? 'main' : 'other'
}

const videoOf = (stream: PrintedStream): VideoStream =>
  defined({
    ...baseOf(stream),
    type: 'video' as const,
    width: stream.width ?? 0,
    height: stream.height ?? 0,
    pixFmt: stream.pix_fmt,
    fps: rational(stream.avg_frame_rate) ?? rational(stream.r_frame_rate),
    frames: numberOf(stream.nb_read_frames ?? stream.nb_read_packets ?? stream.nb_frames),
    range: tagOf(stream.color_range),
    matrix: tagOf(stream.color_space),
    transfer: tagOf(stream.color_transfer),
    primaries: tagOf(stream.color_primaries),
    pixelAspect: aspect(stream.sample_aspect_ratio),
    rotation: stream.side_data_list?.find(({ rotation }) => rotation)?.rotation,
    mirror: stream.side_data_list?.map(({ displaymatrix }) => mirrorOf(displaymatrix)).find(Boolean),
    timeBase: rational(stream.time_base),
    reorders: (stream.has_b_frames ?? 0) > 0 ? (true as const) : undefined,
    isCover: stream.disposition?.attached_pic === 1 ? (true as const) : undefined,
  })

const audioOf = (stream: PrintedStream): AudioStream =>
  defined({
    ...baseOf(stream),
    type: 'audio' as const,
    sampleRate: numberOf(stream.sample_rate) ?? 0,
    channels: stream.channels ?? 0,
  })

const textOf = (stream: PrintedStream): TextStream => defined({ ...baseOf(stream), type: 'text' as const })

const read = async (file: string, options: ProbeOptions) => {
  const { ffprobe } = options.tools ?? (await findFfmpeg(options.signal ? { signal: options.signal } : {}))
  const packets = options.countPackets ? ['-count_packets'] : []
  const count = options.countFrames ? ['-count_frames'] : packets
  const show = ['-show_format', '-show_streams', '-of', 'json']
  const before = [...ERRORS_ONLY, ...count, ...show]
  const { stdout, reported } = await readMedia({ program: ffprobe, before, file }, options.signal)
  return { printed: JSON.parse(stdout) as unknown, hasErrors: reported !== undefined }
}

/** Reads the streams of a media file; VID_FFMPEG_PROBE when it is not a media file. */
export const probeMedia = async (file: string, options: ProbeOptions = {}): Promise<MediaInfo> => {
  let result: Awaited<ReturnType<typeof read>>
  try {
    result = await read(file, options)
  } catch (cause) {
    options.signal?.throwIfAborted()
    if (isMachineFault(cause) || (isVidError(cause) && cause.code === 'VID_FFMPEG_PROBE')) throw cause
    throw fail('VID_FFMPEG_PROBE', { file, reason: describeCause(cause) }, { cause })
  }
  const { printed: report, hasErrors } = result
  if (!Value.Check(Printed, report))
    throw fail('VID_FFMPEG_PROBE', { file, reason: 'ffprobe printed something unexpected.' })
  const of = (type: string) => report.streams.filter((stream) => stream.codec_type === type)
  return defined({
    container: report.format.format_name ?? 'unknown',
    duration: numberOf(report.format.duration),
    start: numberOf(report.format.start_time),
    video: of('video').map(videoOf),
    audio: of('audio').map(audioOf),
    text: of('subtitle').map(textOf),
    tags: report.format.tags ?? {},
    hasErrors: hasErrors ? (true as const) : undefined,
  })
}
