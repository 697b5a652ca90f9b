import { type RenderRequest, type Static, Type } from '@vid/kernel'

/** How hard the images are packed for each `--quality`; the pixels are the same in all. */
const PACKINGS = {
  draft: { level: 1, pred: 'up' },
  standard: { level: 2, pred: 'mixed' },
  high: { level: 6, pred: 'mixed' },
} as const

/** The shape of `PngSettings`. */
export const PngSettingsSchema = Type.Object({
  /** Raised whenever the same settings begin to give other bytes. */
  recipe: Type.Literal(2),
  level: Type.Integer({ minimum: 0, maximum: 9 }),
  pred: Type.Union([Type.Literal('up'), Type.Literal('mixed')]),
})

/** All that decides the bytes of an image beside its pixels. */
export type PngSettings = Static<typeof PngSettingsSchema>

/** Settings of a request. */
export const settingsOf = ({ quality }: RenderRequest): PngSettings => ({ recipe: 2, ...PACKINGS[quality] })
