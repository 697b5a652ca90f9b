import { Mp4SettingsSchema, mp4SettingsOf, type VideoSettings } from '@vid/ffmpeg'
import { ladderRungs, type RenderRequest, type Static, Type } from '@vid/kernel'

const { codec, preset, crf, bitrate, threads } = Mp4SettingsSchema.properties

/** Sizes of the further renditions, by the shorter side in pixels. */
export const LadderSchema = Type.Array(Type.Integer({ minimum: 64, maximum: 4320 }), { maxItems: 12 })

/** Longest media segment, in seconds. */
export const SecondsSchema = Type.Number({ minimum: 1, maximum: 20 })

/** The shape of `HlsSettings`. */
export const HlsSettingsSchema = Type.Object({
  /** Incremented whenever the same settings produce different bytes. */
  recipe: Type.Literal(3),
  codec,
  preset,
  crf,
  bitrate,
  threads,
  ladder: LadderSchema,
  segmentSeconds: SecondsSchema,
})

/** Everything that determines the bytes of a segment, apart from its frames. */
export type HlsSettings = Static<typeof HlsSettingsSchema>

interface HlsOptions {
  readonly threads: number
  readonly ladder: readonly number[]
  readonly segmentSeconds: number
}

/** Settings of a request: those of an mp4, and the shape of the folder. */
export const hlsSettingsOf = (request: RenderRequest, options: HlsOptions): HlsSettings => {
  const { recipe: _, hdr: __, gpu: ___, ...video } = mp4SettingsOf(request, options.threads)
  // Each rung is named once, and the largest comes first.
  const rungs = request.ladder === undefined ? options.ladder : ladderRungs(request.ladder)
  const ladder = [...new Set(rungs)].sort((a, b) => b - a)
  return { ...video, recipe: 3, ladder, segmentSeconds: options.segmentSeconds }
}

/** The settings of the encoder of the pictures. */
export const videoOf = (settings: HlsSettings): VideoSettings => ({ ...settings, gpu: false })
