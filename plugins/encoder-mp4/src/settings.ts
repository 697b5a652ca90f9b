import { type RenderRequest, type Static, schemaProblems, Type } from '@vid/kernel'
import { fail } from './errors.ts'

const LOWEST_BITRATE = 10_000
const HIGHEST_BITRATE = 1_000_000_000

/** x264's preset and quality for each `--quality`. */
const QUALITIES = {
  draft: { preset: 'ultrafast', crf: 28 },
  standard: { preset: 'medium', crf: 18 },
  high: { preset: 'slow', crf: 15 },
} as const

const Mp4SettingsSchema = Type.Object({
  /** Raised whenever the same settings begin to give other bytes. */
  recipe: Type.Literal(1),
  preset: Type.Union([Type.Literal('ultrafast'), Type.Literal('medium'), Type.Literal('slow')]),
  /** Constant rate factor, or null when `bitrate` rules. */
  crf: Type.Union([Type.Integer({ minimum: 0, maximum: 51 }), Type.Null()]),
  /** Average bits per second, or null when `crf` rules. */
  bitrate: Type.Union([Type.Integer({ minimum: LOWEST_BITRATE, maximum: HIGHEST_BITRATE }), Type.Null()]),
  /** x264's bytes depend on it, so it is planned and never taken from the machine. */
  threads: Type.Integer({ minimum: 1, maximum: 32 }),
})

/** All that decides the bytes of a segment beside its frames. */
export type Mp4Settings = Static<typeof Mp4SettingsSchema>

/** Bits per second of a text such as `10M` or `5000k`. */
const bitsOf = (text: string): number => {
  const bits = Math.round(Number.parseFloat(text) * ({ k: 1e3, M: 1e6 }[text.slice(-1)] ?? 1))
  if (bits >= LOWEST_BITRATE && bits <= HIGHEST_BITRATE) return bits
  throw fail('VID_MP4_BITRATE', { value: text, lowest: `${LOWEST_BITRATE}`, highest: `${HIGHEST_BITRATE}` })
}

/** Settings of a request: the quality's, with its CRF replaced by `--crf` or by `--video-bitrate`. */
export const settingsOf = (request: RenderRequest, threads: number): Mp4Settings => {
  const { preset, crf } = QUALITIES[request.quality]
  const bitrate = request.videoBitrate === undefined ? null : bitsOf(request.videoBitrate)
  return { recipe: 1, preset, crf: bitrate === null ? (request.crf ?? crf) : null, bitrate, threads }
}

/** Settings out of a plan, which may have been made elsewhere. */
export const readSettings = (settings: unknown): Mp4Settings => {
  const problems = schemaProblems(Mp4SettingsSchema, settings)
  if (problems.length > 0) throw fail('VID_MP4_SETTINGS', { problems })
  return settings as Mp4Settings
}
