import { type RenderRequest, type Static, Type } from '@vid/kernel'

/** The shape of `GifSettings`. */
export const GifSettingsSchema = Type.Object({
  /** Incremented whenever the same settings produce different bytes. */
  recipe: Type.Literal(2),
  /** Colours of the palette, one of them transparent. */
  colours: Type.Integer({ minimum: 4, maximum: 256 }),
  /** Loop count in the file; 0 loops forever. */
  loop: Type.Integer({ minimum: 0, maximum: 65535 }),
})

/** Everything that determines the bytes of a video, apart from its frames. */
export type GifSettings = Static<typeof GifSettingsSchema>

/** Palette size for each `--quality`; a smaller palette makes a smaller file. */
const COLOURS = { draft: 128, standard: 256, high: 256 } as const

/** Settings of a request. */
export const gifSettingsOf = ({ quality, gifLoop = 0 }: RenderRequest): GifSettings => ({
  recipe: 2,
  colours: COLOURS[quality],
  loop: gifLoop,
})
