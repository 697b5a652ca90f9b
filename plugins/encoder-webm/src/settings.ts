import { BitrateSchema, bitsOf, ThreadsSchema } from '@vid/ffmpeg'
import { type RenderRequest, type Static, Type } from '@vid/kernel'

/** libvpx's effort and quality for each `--quality`. */
const QUALITIES = {
  draft: { deadline: 'realtime', speed: 8, crf: 36 },
  standard: { deadline: 'good', speed: 4, crf: 24 },
  high: { deadline: 'good', speed: 2, crf: 16 },
} as const

/** The shape of `WebmSettings`. */
export const WebmSettingsSchema = Type.Object({
  /** Incremented whenever the same settings produce different bytes. */
  recipe: Type.Literal(2),
  deadline: Type.Union([Type.Literal('realtime'), Type.Literal('good')]),
  /** libvpx's `cpu-used`: higher is faster. */
  speed: Type.Integer({ minimum: 0, maximum: 8 }),
  /** Constant quality on libvpx's scale of 0–63; null when `bitrate` is set. */
  crf: Type.Union([Type.Integer({ minimum: 0, maximum: 63 }), Type.Null()]),
  /** Average bits per second of the colours; null when `crf` is set. */
  bitrate: Type.Union([BitrateSchema, Type.Null()]),
  threads: ThreadsSchema,
})

/** Everything that determines the bytes of a segment, apart from its frames. */
export type WebmSettings = Static<typeof WebmSettingsSchema>

/** Settings of a request: those of its quality, where `--crf` or `--video-bitrate` replaces the CRF. */
export const webmSettingsOf = (request: RenderRequest, threads: number): WebmSettings => {
  const { deadline, speed, crf } = QUALITIES[request.quality]
  const bitrate = request.videoBitrate === undefined ? null : bitsOf(request.videoBitrate)
  return {
    recipe: 2,
    deadline,
    speed,
    crf: bitrate === null ? (request.crf ?? crf) : null,
    bitrate,
    threads,
  }
}
