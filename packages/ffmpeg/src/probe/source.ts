import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { MediaPicture, MediaSource, VideoFrameFormat } from '@vid/kernel'
import { HLG_PEAK, WHITE } from '../hdr/transfer-functions.ts'
import { type FfmpegTools, findFfmpeg } from '../tools/find.ts'
import { readFrameTimes, TICKS } from './frame-times.ts'
import { type Mastering, readMastering } from './mastering.ts'
import { type MediaInfo, probeMedia, type VideoStream } from './probe.ts'

/** A source file, read: what a plan says about it and what its extraction needs. */
export interface SourceFile extends Omit<MediaSource, 'picture'> {
  /** Absolute. */
  readonly file: string
  readonly picture: (Omit<MediaPicture, 'frameFormat'> & { readonly stream: VideoStream }) | null
  /** What an HDR picture says of its light. */
  readonly mastering?: Mastering
  /** Time stamp that counts as its beginning, seconds. */
  readonly origin: number
  /** What a codec lets run in before 0, seconds. */
  readonly runIn: number
  /** Whether a jump lands on a frame that decodes by itself; without an index it may land anywhere. */
  readonly hasIndex: boolean
  /** Time stamps of its frames, ascending, in units of 1/10000 s; read when first asked for. */
  frameTimes(signal?: AbortSignal): Promise<readonly number[]>
}

interface ReadOptions {
  readonly signal?: AbortSignal
  readonly tools?: FfmpegTools
}

const ALPHA = /^(?:yuva|rgba|argb|bgra|abgr|gbrap|ya8|ya16)/

/** Whether a stream carries transparency, in its pixels or, as in WebM, beside them. */
const hasAlpha = ({ pixFmt = '', tags }: VideoStream): boolean =>
  ALPHA.test(pixFmt) ||
  Object.entries(tags).some(([name, value]) => /^alpha_mode$/i.test(name) && value === '1')

const CURVES = { smpte2084: 'pq', 'arib-std-b67': 'hlg' } as const

const curveOf = ({ transfer = '' }: VideoStream): MediaPicture['hdr'] | undefined =>
  CURVES[transfer as keyof typeof CURVES]

/** The brightest light of a picture: what it says, else what most are graded for. */
const peakOf = (curve: MediaPicture['hdr'], { displayPeak = 0, maxCll = 0 }: Mastering): number =>
  curve === 'hlg'
    ? HLG_PEAK
    : Math.min(10_000, Math.max(WHITE, displayPeak, maxCll || (displayPeak ? 0 : 1000)))

const pictureOf = (
  stream: VideoStream,
  mastering: Mastering | undefined,
): NonNullable<SourceFile['picture']> => {
  const { num, den } = stream.pixelAspect ?? { num: 1, den: 1 }
  const width = Math.max(1, Math.round((stream.width * num) / den))
  const hdr = curveOf(stream)
  const turned = Math.abs(stream.rotation ?? 0) % 180 === 90
  return {
    width: turned ? stream.height : width,
    height: turned ? width : stream.height,
    codec: stream.codec,
    fps: stream.fps ? stream.fps.num / stream.fps.den : null,
    alpha: hasAlpha(stream),
    ...(hdr && { hdr, peak: peakOf(hdr, mastering ?? {}) }),
    stream,
  }
}

/** How frames of a picture are extracted: JPEG costs least, and carries neither alpha nor exact RGB. */
export const frameFormatOf = (
  picture: NonNullable<SourceFile['picture']>,
  wanted: VideoFrameFormat,
): MediaPicture['frameFormat'] =>
  wanted !== 'auto'
    ? wanted
    : picture.hdr || picture.alpha || !/^yuv/.test(picture.stream.pixFmt ?? '')
      ? 'png'
      : 'jpg'

const soundOf = ({ audio }: MediaInfo) =>
  audio[0] ? { codec: audio[0].codec, sampleRate: audio[0].sampleRate, channels: audio[0].channels } : null

const read = async (file: string, options: ReadOptions): Promise<SourceFile> => {
  const tools = options.tools ?? (await findFfmpeg(options.signal ? { signal: options.signal } : {}))
  const hash = createHash('sha256')
  const [info] = await Promise.all([
    probeMedia(file, { ...options, tools }),
    pipeline(createReadStream(file), hash, options.signal ? { signal: options.signal } : {}),
  ])
  const stream = info.video.find(({ isCover, width, height }) => !isCover && width > 0 && height > 0)
  let times: Promise<readonly number[]> | undefined
  const frameTimes = (signal?: AbortSignal) => {
    if (!stream) return Promise.resolve([])
    times ??= readFrameTimes(file, stream, tools, signal).catch((cause: unknown) => {
      times = undefined
      throw cause
    })
    return times
  }
  // What begins before 0 is what a codec lets run in; a later beginning is no part of the picture, as of the sound.
  const origin = Math.max(0, info.start ?? 0)
  const end = endOf(info) ?? endOfFrames(await frameTimes(options.signal))
  const mastering =
    stream && curveOf(stream) ? await readMastering(file, stream.index, tools, options.signal) : undefined
  return {
    file,
    ...(mastering && { mastering }),
    digest: hash.digest('hex'),
    duration: Math.max(0, end - origin),
    picture: stream ? pictureOf(stream, mastering) : null,
    sound: soundOf(info),
    origin,
    runIn: Math.max(0, -Math.min(0, ...[...info.audio, ...info.video].map((each) => each.start ?? 0))),
    hasIndex: /\b(?:mov|matroska)\b/.test(info.container),
    frameTimes,
  }
}

/** Time stamp at which all that a file holds has ended, seconds; undefined when it does not say. */
const endOf = ({ container, start = 0, duration, video, audio }: MediaInfo): number | undefined => {
  const streams = [...video.filter(({ isCover }) => !isCover), ...audio]
  const ends = streams.flatMap((stream) =>
    stream.duration === undefined ? [] : (stream.start ?? start) + stream.duration,
  )
  if (ends.length > 0 && ends.length === streams.length) return Math.max(...ends)
  // Matroska tells when it ends, the others how long they last.
  return duration === undefined || /\bmatroska\b/.test(container) ? duration : start + duration
}

/** Where frames end whose container does not say, seconds: the last lasts as long as the one before. */
const endOfFrames = (times: readonly number[]) => {
  const [last = 0, before = last] = [times.at(-1), times.at(-2)]
  return (last + (last - before)) / TICKS
}

const known = new Map<string, Promise<SourceFile>>()

/** Reads a source file, once per file and modification time; VID_FFMPEG_PROBE when it is no media. */
export const readSource = async (file: string, options: ReadOptions = {}): Promise<SourceFile> => {
  const { mtimeMs, size, ino } = await stat(file)
  const key = [file, mtimeMs, size, ino].join('\0')
  const found = known.get(key)
  if (found) return found
  const reading = read(file, options)
  known.set(key, reading)
  // A read that was stopped must not answer for the next one.
  reading.catch(() => known.delete(key))
  return reading
}
