import type { FrameFormat } from '@vid/kernel'
import { createPlanar, isPlanarSize, type PageConfig } from '@vid/runtime'
import { pictureSize } from '../../pictures/picture-size.ts'
import { decodeScreenshot } from '../../pictures/png.ts'

/** Formats of raw pixels that the raster lane produces. */
export type RawFormat = 'rgba' | 'yuv420p' | 'yuva420p'

/** Converts pictures to the raw pixels that the raster lane produces in one format. */
export interface RawPictures {
  readonly format: RawFormat
  /** Decodes a screenshot to them. */
  decode(screenshot: Uint8Array): Promise<Uint8Array>
}

/** The first raw format that an encoder accepts and a page of this size can produce; undefined when there is none. */
export const chooseRaw = (
  accepts: readonly FrameFormat[],
  page: Pick<PageConfig, 'width' | 'height' | 'scale' | 'alpha'>,
): RawFormat | undefined => {
  const planar = page.alpha ? 'yuva420p' : 'yuv420p'
  const { width, height } = pictureSize(page)
  const canPlanar = isPlanarSize(width, height)
  return accepts.find((format): format is RawFormat => format === 'rgba' || (format === planar && canPlanar))
}

/** Prepares the conversion of screenshots to raw pixels. */
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
