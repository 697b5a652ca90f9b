import { ThreadsSchema } from '@vid/ffmpeg'
import { type RenderRequest, type Static, Type } from '@vid/kernel'

/** ProRes quantizer for each `--quality`: about 53 and 60 dB; null searches for the one that reaches Apple's target bitrate. */
const QUANTIZERS = { draft: 9, standard: 4, high: null } as const

/** The shape of `MovSettings`. */
export const MovSettingsSchema = Type.Object({
  /** Incremented whenever the same settings produce different bytes. */
  recipe: Type.Literal(2),
  quantizer: Type.Union([Type.Integer({ minimum: 1, maximum: 64 }), Type.Null()]),
  threads: ThreadsSchema,
})

/** Everything that determines the bytes of a segment, apart from its frames. */
export type MovSettings = Static<typeof MovSettingsSchema>

/** Settings of a request; ProRes 4444 has no rate control besides its quality. */
export const movSettingsOf = ({ quality }: RenderRequest, threads: number): MovSettings => ({
  recipe: 2,
  quantizer: QUANTIZERS[quality],
  threads,
})
