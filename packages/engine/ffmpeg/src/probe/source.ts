import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  createRecentMap,
  describeCause,
  isMachineFault,
  type MediaPicture,
  type MediaSource,
  recentWork,
  type VideoFrameFormat,
} from '@vid/protocol'
import { fail } from '../errors.ts'
import { type FfmpegTools, findFfmpeg } from '../tools/find.ts'
import { readsBare } from './container.ts'
import { hasDecodableFrame } from './decodable.ts'
import { endOf, readSoundEnd } from './end.ts'
import { averageRate, readFrameTimes, type StreamTimes, TICKS } from './frame-times.ts'
import { type Mastering, readMastering } from './mastering.ts'
import { type AudioStream, type MediaInfo, probeMedia, type VideoStream } from './probe.ts'
import { HLG_PEAK_NITS, SDR_WHITE_NITS } from './transfer-functions.ts'

/** A probed source file: what a plan states about it and what extraction needs. */
export interface SourceFile extends Omit<MediaSource, 'picture'> {
  /** Absolute. */
  readonly file: string
  readonly picture: (Omit<MediaPicture, 'frameFormat'> & { readonly stream: VideoStream }) | null
  /** HDR metadata of the picture. */
  readonly mastering?: Mastering
  /** Time stamp of its beginning, seconds. */
  readonly origin: number
  /** Length of what a codec stores before time 0, such as AAC priming, seconds. */
  readonly preRoll: number
  /** Number of its sound in the file; of no meaning without sound. */
  readonly soundIndex: number
  /** Whether a seek lands on a key frame; without an index it may land anywhere. */
  readonly hasIndex: boolean
  /**
   * When its frames are shown, in ticks of 1/10000 s; read on first use. Whether the file is cut off is only known of MP4,
   * QuickTime, Matroska and WebM with a picture.
   */
  frameTimes(signal?: AbortSignal): Promise<StreamTimes>
  /** Why it is uncertain when its frames are shown, as the end of a sentence; undefined when it is not. */
  doubt(signal?: AbortSignal): Promise<string | undefined>
}

interface ReadOptions {
  readonly signal?: AbortSignal
  readonly tools?: FfmpegTools
}

const ALPHA = /^(?:yuva|rgba|argb|bgra|abgr|gbrap|ya8|ya16)/

/** Whether a stream carries transparency, in its pixels or, as in WebM, beside them. */
const hasAlpha = ({ pixFmt = '', tags }: VideoStream): boolean =>
  ALPHA.test(pixFmt) || Object.entries(tags).some(([name, value]) => /^alpha_mode$/i.test(name) && value === '1')

const TRANSFERS = { smpte2084: 'pq', 'arib-std-b67': 'hlg' } as const

const hdrTransferOf = ({ transfer = '' }: VideoStream): MediaPicture['hdr'] | undefined =>
  TRANSFERS[transfer as keyof typeof TRANSFERS]

/** Peak luminance of a picture: from its metadata, or else 1000 cd/m², which most HDR is graded for. */
const peakOf = (transfer: MediaPicture['hdr'], { displayPeak = 0, maxCll = 0 }: Mastering): number =>
  transfer === 'hlg'
    ? HLG_PEAK_NITS
    : Math.min(10_000, Math.max(SDR_WHITE_NITS, displayPeak, maxCll || (displayPeak ? 0 : 1000)))

const pictureOf = (stream: VideoStream, mastering: Mastering | undefined): NonNullable<SourceFile['picture']> => {
  const { num, den } = stream.pixelAspect ?? { num: 1, den: 1 }
  const width = Math.max(1, Math.round((stream.width * num) / den))
  const hdr = hdrTransferOf(stream)
  const isRotated = Math.abs(stream.rotation ?? 0) % 180 === 90
  return {
    width: isRotated ? stream.height : width,
    height: isRotated ? width : stream.height,
    codec: stream.codec,
    fps: stream.fps && stream.fps.num / stream.fps.den > 0 ? stream.fps.num / stream.fps.den : null,
    alpha: hasAlpha(stream),
    ...(hdr && { hdr, peak: peakOf(hdr, mastering ?? {}) }),
    stream,
  }
}

/** Image format for extracted frames: JPEG is cheapest, but has neither alpha nor exact RGB. */
export const frameFormatOf = (
  picture: NonNullable<SourceFile['picture']>,
  format: VideoFrameFormat,
): MediaPicture['frameFormat'] =>
  format !== 'auto' ? format : picture.hdr || picture.alpha || !/^yuv/.test(picture.stream.pixFmt ?? '') ? 'png' : 'jpg'

/**
 * The stream of a kind that a browser plays: the first one; in MP4 and QuickTime, where tracks are enabled, the first that
 * is. Other containers mark streams as default ones, which browsers ignore.
 */
const playedOf = <T extends VideoStream | AudioStream>(
  { container }: MediaInfo,
  streams: readonly T[],
): T | undefined => (/\bmov\b/.test(container) && streams.find(({ isDefault }) => isDefault)) || streams[0]

/** What is known of a sound stream; null without one, or when its head is too damaged to decode. */
const soundOf = (stream: AudioStream | undefined): SourceFile['sound'] =>
  stream && stream.sampleRate > 0 && stream.channels > 0
    ? { codec: stream.codec, sampleRate: stream.sampleRate, channels: stream.channels }
    : null

const read = async (file: string, options: ReadOptions & { readonly tools: FfmpegTools }): Promise<SourceFile> => {
  const { tools } = options
  const hash = createHash('sha256')
  const [info] = await Promise.all([
    probeMedia(file, options),
    pipeline(createReadStream(file), hash, options.signal ? { signal: options.signal } : {}),
  ])
  const pictures = info.video.filter(({ isCover, width, height }) => !isCover && width > 0 && height > 0)
  const video = playedOf(info, pictures)
  const sound = playedOf(info, info.audio)
  // A picture that cannot be decoded does not count, as with the sound.
  const isShown = video && (await hasDecodableFrame(file, info, video, { tools, signal: options.signal }))
  const stream = isShown ? video : undefined
  let times: Promise<StreamTimes> | undefined
  const frameTimes = (signal?: AbortSignal): Promise<StreamTimes> => {
    if (!stream) return Promise.resolve({ times: [], isCutOff: false })
    times ??= readFrameTimes(file, { container: info.container, stream }, tools, signal).catch((cause: unknown) => {
      times = undefined
      throw cause
    })
    return times
  }
  // Before time 0 is only what the codec stores ahead; a file that starts later than 0 counts from its start.
  const origin = Math.max(0, info.start ?? (await firstEstimate(stream && frameTimes(options.signal))))
  const end = await endOf(info, stream, {
    frameTimes: () => frameTimes(options.signal),
    soundEnd: () => readSoundEnd(file, sound?.index ?? 0, tools, options.signal),
  })
  const mastering =
    stream && hdrTransferOf(stream) ? await readMastering(file, stream.index, tools, options.signal) : undefined
  return {
    file,
    ...(mastering && { mastering }),
    digest: hash.digest('hex'),
    duration: Math.max(0, end - origin),
    picture: stream ? pictureOf(stream, mastering) : null,
    sound: soundOf(sound),
    soundIndex: sound?.index ?? 0,
    origin,
    preRoll: Math.max(0, -Math.min(0, ...[...info.audio, ...info.video].map((stream) => stream.start ?? 0))),
    hasIndex: /\b(?:mov|matroska)\b/.test(info.container),
    frameTimes,
    doubt: async (signal) => doubtOf(info, await frameTimes(signal)),
  }
}

/** Time stamp of the first frame, for a container that says when frames are decoded, but not when they are shown; seconds. */
const firstEstimate = async (times: Promise<StreamTimes> | undefined) =>
  ((await times)?.estimated?.shown[0] ?? 0) / TICKS

/** Why it is uncertain when frames are shown. */
const doubtOf = ({ container }: MediaInfo, times: StreamTimes): string | undefined => {
  if (times.times.length < 2) return undefined
  if (readsBare(container))
    return `it is a bare stream without time stamps, shown at ${Number(averageRate(times).toFixed(3))} frames a second`
  return times.estimated?.isEven === false ? 'few of them have a time stamp, and their rate varies' : undefined
}

/** Limit on remembered sources: more than a render uses, and bounded in a server. */
const MAX_SOURCES = 256

/** Owned by the process, since an entry depends on the file and ffmpeg alone. */
const sources = createRecentMap<string, Promise<SourceFile>>(MAX_SOURCES)

/** Probes a source file; once for each state of the file and build of ffmpeg. VID_FFMPEG_PROBE when it is not a media file. */
export const readSource = async (file: string, options: ReadOptions = {}): Promise<SourceFile> => {
  const { mtimeMs, ctimeMs, size, ino } = await stat(file).catch((cause: unknown) => {
    if (isMachineFault(cause)) throw cause
    throw fail('VID_FFMPEG_PROBE', { file, reason: describeCause(cause) }, { cause })
  })
  const tools = options.tools ?? (await findFfmpeg(options.signal ? { signal: options.signal } : {}))
  const key = [file, mtimeMs, ctimeMs, size, ino, tools.build].join('\0')
  return recentWork(sources, key, () => read(file, { ...options, tools }))
}
