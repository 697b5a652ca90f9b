import { type RenderRequest, type Static, Type } from '@vid/kernel'

/** The shape of `GifSettings`. */
export const GifSettingsSchema = Type.Object({
  /** Raised whenever the same settings begin to give other bytes. */
  recipe: Type.Literal(2),
  /** Colours of the palette, one of them clear. */
  colours: Type.Integer({ minimum: 4, maximum: 256 }),
  /** The loop count that the file holds; 0 is for ever. */
  loop: Type.Integer({ minimum: 0, maximum: 65535 }),
})

/** All that decides the bytes of a video beside its frames. */
export type GifSettings = Static<typeof GifSettingsSchema>

/** A smaller palette makes a smaller file. */
const COLOURS = { draft: 128, standard: 256, high: 256 } as const

/** Settings of a request. */
export const settingsOf = ({ quality, gifLoop = 0 }: RenderRequest): GifSettings => ({
  recipe: 2,
  colours: COLOURS[quality],
  loop: gifLoop,
})
