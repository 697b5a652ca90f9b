import { BitrateSchema, bitsOf } from '@vid/ffmpeg'
import { type RenderRequest, type Static, Type } from '@vid/kernel'

/** x264's preset and quality for each `--quality`. */
const QUALITIES = {
  draft: { preset: 'ultrafast', crf: 28 },
  standard: { preset: 'medium', crf: 18 },
  high: { preset: 'slow', crf: 15 },
} as const

const HARDWARE = ['h264_nvenc', 'h264_qsv', 'h264_vaapi', 'h264_videotoolbox'] as const

/** The shape of `Mp4Settings`. */
export const Mp4SettingsSchema = Type.Object({
  /** Raised whenever the same settings begin to give other bytes. */
  recipe: Type.Literal(2),
  preset: Type.Union([Type.Literal('ultrafast'), Type.Literal('medium'), Type.Literal('slow')]),
  /** Constant rate factor, or null when `bitrate` rules. */
  crf: Type.Union([Type.Integer({ minimum: 0, maximum: 51 }), Type.Null()]),
  /** Average bits per second, or null when `crf` rules. */
  bitrate: Type.Union([BitrateSchema, Type.Null()]),
  /** x264's bytes depend on it, so it is planned and never taken from the machine. */
  threads: Type.Integer({ minimum: 1, maximum: 32 }),
  /** That this encoder makes HDR of a plan that has a `hdr`. */
  hdr: Type.Literal(true),
  /** A vendor's encoder by ffmpeg's name; true while it is asked for and not yet found. */
  gpu: Type.Union([Type.Boolean(), Type.Union(HARDWARE.map((name) => Type.Literal(name)))]),
})

/** All that decides the bytes of a segment beside its frames. */
export type Mp4Settings = Static<typeof Mp4SettingsSchema>

/** Settings of a request: the quality's, with its CRF replaced by `--crf` or by `--video-bitrate`. */
export const settingsOf = (request: RenderRequest, threads: number): Mp4Settings => {
  const { preset, crf } = QUALITIES[request.quality]
  const bitrate = request.videoBitrate === undefined ? null : bitsOf(request.videoBitrate)
  return {
    ...{ recipe: 2, preset, crf: bitrate === null ? (request.crf ?? crf) : null, bitrate, threads },
    ...{ hdr: true, gpu: request.gpu },
  }
}
