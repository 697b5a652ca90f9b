import { type RenderRequest, type Static, Type } from '@vid/kernel'

/** PNG compression for each `--quality`; the pixels are always the same. */
const COMPRESSION = {
  draft: { level: 1, pred: 'up' },
  standard: { level: 2, pred: 'mixed' },
  high: { level: 6, pred: 'mixed' },
} as const

/** The shape of `PngSettings`. */
export const PngSettingsSchema = Type.Object({
  /** Incremented whenever the same settings produce different bytes. */
  recipe: Type.Literal(2),
  level: Type.Integer({ minimum: 0, maximum: 9 }),
  pred: Type.Union([Type.Literal('up'), Type.Literal('mixed')]),
})

/** Everything that determines the bytes of an image, apart from its pixels. */
export type PngSettings = Static<typeof PngSettingsSchema>

/** Settings of a request. */
export const pngSettingsOf = ({ quality }: RenderRequest): PngSettings => ({
  recipe: 2,
  ...COMPRESSION[quality],
})
