import type { FrameFormat } from '@vid/kernel'
import { createPlanar, isPlanarSize } from '@vid/runtime'
import { decodeScreenshot } from '../png.ts'

/** Formats of raw pixels that a page's element is captured as. */
export type RawFormat = 'rgba' | 'yuv420p' | 'yuva420p'

/** Raw pixels in one format, as a page's own element gives them. */
export interface RawPictures {
  readonly format: RawFormat
  /** Makes them of a screenshot. */
  decode(screenshot: Uint8Array): Promise<Uint8Array>
}

/** The raw format that an encoder likes best and a page of this size can give; undefined when there is none. */
export const chooseRaw = (
  accepts: readonly FrameFormat[],
  page: { readonly width: number; readonly height: number; readonly alpha: boolean },
): RawFormat | undefined => {
  const planar = page.alpha ? 'yuva420p' : 'yuv420p'
  const canPlanar = isPlanarSize(page.width, page.height)
  return accepts.find((each): each is RawFormat => each === 'rgba' || (each === planar && canPlanar))
}

/** Prepares the making of raw pixels. */
export const createRawPictures = (format: RawFormat, width: number, height: number): RawPictures => {
  let planar: ReturnType<typeof createPlanar> | undefined
  return {
    format,
    async decode(screenshot) {
      const { data } = decodeScreenshot(screenshot)
      if (format === 'rgba') return data
      planar ??= createPlanar(width, height, { alpha: format === 'yuva420p' })
      return (await planar)(data)
    },
  }
}
