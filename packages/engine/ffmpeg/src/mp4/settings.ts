import { type RenderPlan, type RenderRequest, type Static, Type } from '@vid/protocol'
import { BitrateSchema, bitsOf } from '../encode/encoder-settings.ts'
import { fail } from '../errors.ts'
import { type Codec, CodecSchema, codecOf } from './codec.ts'

/** Preset and constant rate factor of each encoder for each `--quality`; `npm run lab -- codecs` measures them. */
export const codecQualities = {
  h264: {
    draft: { preset: 'ultrafast', crf: 28 },
    standard: { preset: 'medium', crf: 18 },
    high: { preset: 'slow', crf: 15 },
  },
  hevc: {
    draft: { preset: 'superfast', crf: 20 },
    standard: { preset: 'slow', crf: 20 },
    high: { preset: 'slow', crf: 17 },
  },
  av1: {
    draft: { preset: '10', crf: 25 },
    standard: { preset: '6', crf: 22 },
    high: { preset: '5', crf: 14 },
  },
} as const satisfies Readonly<
  Record<Codec, Record<RenderRequest['quality'], { readonly preset: string; readonly crf: number }>>
>

const PRESETS = ['ultrafast', 'superfast', 'medium', 'slow', '10', '6', '5'] as const

const HARDWARE = ['h264_nvenc', 'h264_qsv', 'h264_vaapi', 'h264_videotoolbox'] as const

/** Frames that each preset of x264 looks ahead. */
const PRESET_LOOKAHEAD: Readonly<Record<string, number>> = { ultrafast: 0, medium: 40, slow: 50 }

/** Pictures of at most this size take little memory, however many x264 looks ahead. */
const SMALL_PIXELS = 1280 * 720

/** Frames that x264 looks ahead where they are larger; each takes 6 MiB of it at 1920 × 1080. */
const LARGE_LOOKAHEAD = 20

/** Frames that the encoders of other codecs look ahead at most. */
const OTHER_LOOKAHEAD = 40

/** The shape of `Mp4Settings`. */
export const Mp4SettingsSchema = Type.Object({
  /** Incremented whenever the same settings produce different bytes. */
  recipe: Type.Literal(4),
  /** Left out in a plan of H.264, and of HDR for which no codec was chosen. */
  codec: Type.Optional(CodecSchema),
  /** Name or number of a preset of the encoder. */
  preset: Type.Unsafe<(typeof PRESETS)[number]>(Type.Union(PRESETS.map((name) => Type.Literal(name)))),
  /** Constant rate factor; null when `bitrate` is set. */
  crf: Type.Union([Type.Integer({ minimum: 0, maximum: 51 }), Type.Null()]),
  /** Average bits per second; null when `crf` is set. */
  bitrate: Type.Union([BitrateSchema, Type.Null()]),
  /** Threads of the encoder; in the plan and never derived from the machine, since the bytes depend on it. */
  threads: Type.Integer({ minimum: 1, maximum: 32 }),
  /** This encoder supports HDR. */
  hdr: Type.Literal(true),
  /** ffmpeg's name of a hardware encoder; true while one is requested and not yet chosen. */
  gpu: Type.Union([Type.Boolean(), Type.Union(HARDWARE.map((name) => Type.Literal(name)))]),
})

/** Everything that determines the bytes of a segment, apart from its frames. */
export type Mp4Settings = Static<typeof Mp4SettingsSchema>

/** The settings that decide how SDR frames become a video. */
export type VideoSettings = Pick<Mp4Settings, 'codec' | 'preset' | 'crf' | 'bitrate' | 'threads' | 'gpu'>

/** Refuses what the codec of a request cannot be. */
const checkCodec = ({ codec, crf, hdr }: RenderRequest): void => {
  if (hdr && codec !== undefined && codec !== 'hevc') throw fail('VID_CODEC_HDR', { codec })
  if (crf === 0 && codec !== undefined && codec !== 'h264') throw fail('VID_CODEC_LOSSLESS', { codec })
}

/** Settings of a request: those of its quality, where `--crf` or `--video-bitrate` replaces the CRF. */
export const mp4SettingsOf = (request: RenderRequest, threads: number): Mp4Settings => {
  checkCodec(request)
  const codec = codecOf(request)
  const { preset, crf } = codecQualities[codec][request.quality]
  const bitrate = request.videoBitrate === undefined ? null : bitsOf(request.videoBitrate)
  return {
    recipe: 4,
    ...(codec !== 'h264' && { codec }),
    preset,
    crf: bitrate === null ? (request.crf ?? crf) : null,
    bitrate,
    // With a bitrate, the bytes of SVT-AV1 depend on the progress of its threads.
    threads: codec === 'av1' && bitrate !== null ? 1 : threads,
    hdr: true,
    gpu: request.gpu,
  }
}

/** Frames that x264 looks ahead in pictures of a size: those of its preset, and fewer in large ones. */
export const x264Lookahead = (
  { preset }: Pick<VideoSettings, 'preset'>,
  { width, height }: Pick<RenderPlan, 'width' | 'height'>,
): number => {
  const ahead = PRESET_LOOKAHEAD[preset] ?? OTHER_LOOKAHEAD
  return width * height > SMALL_PIXELS ? Math.min(LARGE_LOOKAHEAD, ahead) : ahead
}

/** Frames that the encoder holds before it makes the first: those that it looks ahead, and one for each thread. */
export const videoLookahead = (settings: VideoSettings, size: Pick<RenderPlan, 'width' | 'height'>): number => {
  const { codec, threads, gpu, bitrate } = settings
  const ahead = codec === undefined ? x264Lookahead(settings, size) : OTHER_LOOKAHEAD
  // Bits are spread over the frames ahead also where the preset analyses none of them.
  return threads + (gpu === false && bitrate === null ? ahead : Math.max(OTHER_LOOKAHEAD, ahead))
}
