import { type RenderRequest, type Static, Type } from '@vid/kernel'
import { BitrateSchema, bitsOf } from '../encode/encoder-settings.ts'

/** x264's preset and quality for each `--quality`. */
const QUALITIES = {
  draft: { preset: 'ultrafast', crf: 28 },
  standard: { preset: 'medium', crf: 18 },
  high: { preset: 'slow', crf: 15 },
} as const

const HARDWARE = ['h264_nvenc', 'h264_qsv', 'h264_vaapi', 'h264_videotoolbox'] as const

/** Frames that x264 looks ahead in each preset. */
const LOOKAHEAD = { ultrafast: 0, medium: 40, slow: 50 } as const

/** The shape of `Mp4Settings`. */
export const Mp4SettingsSchema = Type.Object({
  /** Incremented whenever the same settings produce different bytes. */
  recipe: Type.Literal(2),
  preset: Type.Union([Type.Literal('ultrafast'), Type.Literal('medium'), Type.Literal('slow')]),
  /** Constant rate factor; null when `bitrate` is set. */
  crf: Type.Union([Type.Integer({ minimum: 0, maximum: 51 }), Type.Null()]),
  /** Average bits per second; null when `crf` is set. */
  bitrate: Type.Union([BitrateSchema, Type.Null()]),
  /** Threads of x264; in the plan and never derived from the machine, since the bytes depend on it. */
  threads: Type.Integer({ minimum: 1, maximum: 32 }),
  /** This encoder supports HDR. */
  hdr: Type.Literal(true),
  /** ffmpeg's name of a hardware encoder; true while one is requested and not yet chosen. */
  gpu: Type.Union([Type.Boolean(), Type.Union(HARDWARE.map((name) => Type.Literal(name)))]),
})

/** Everything that determines the bytes of a segment, apart from its frames. */
export type Mp4Settings = Static<typeof Mp4SettingsSchema>

/** The settings that decide how SDR frames become H.264. */
export type H264Settings = Pick<Mp4Settings, 'preset' | 'crf' | 'bitrate' | 'threads' | 'gpu'>

/** Settings of a request: those of its quality, where `--crf` or `--video-bitrate` replaces the CRF. */
export const mp4SettingsOf = (request: RenderRequest, threads: number): Mp4Settings => {
  const { preset, crf } = QUALITIES[request.quality]
  const bitrate = request.videoBitrate === undefined ? null : bitsOf(request.videoBitrate)
  return {
    recipe: 2,
    preset,
    crf: bitrate === null ? (request.crf ?? crf) : null,
    bitrate,
    threads,
    hdr: true,
    gpu: request.gpu,
  }
}

/** Frames that the encoder holds before it makes the first: those that it looks ahead, and one for each thread. */
export const h264Lookahead = ({ preset, threads, gpu, bitrate }: H264Settings): number =>
  // Bits are spread over the frames ahead also where the preset analyses none of them.
  threads + (gpu === false && bitrate === null ? LOOKAHEAD[preset] : Math.max(LOOKAHEAD.medium, LOOKAHEAD[preset]))
