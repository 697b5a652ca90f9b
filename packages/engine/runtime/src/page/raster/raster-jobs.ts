import type { RasterConfig } from '../../contract/page-config.ts'
import type { Likeness, RasterDrawn } from '../../contract/raster.ts'
import type { PixelArea } from '../images/bitmap.ts'
import type { ElementPicture } from './element-context.ts'

/** The first job: the canvas to draw on, and the settings of the file that receives the pixels. */
export interface RasterOpen extends RasterConfig {
  readonly canvas: OffscreenCanvas
  readonly alpha: boolean
}

/** A captured element and what to do with its pixels. */
export interface RasterDraw {
  readonly picture: ElementPicture
  readonly frame: number
  readonly slot: number
  readonly planar: boolean
  /** Whether all of it is written, even if its pixels equal those before. */
  readonly fresh: boolean
  /** Whether its pixels are kept to be compared. */
  readonly keep: boolean
  /** Whether its screenshot may have differently antialiased edges. */
  readonly smoothed: boolean
}

/** A captured element whose pixels are kept to be compared in place of those that were drawn. */
export interface RasterKeep extends Pick<RasterDraw, 'picture' | 'planar' | 'smoothed'> {
  readonly kept: number
}

/** A screenshot, a PNG in base64, to compare with a kept frame. */
export interface RasterCompare {
  readonly compared: number
  readonly screenshot: string
}

/** A static background to convert to an image; nothing else is in the picture. */
export interface RasterStill {
  readonly picture: ElementPicture
  /** Its position in the whole picture. */
  readonly area: PixelArea
}

/** Pictures that must be drawn with equal pixels. */
export interface RasterProof {
  readonly pictures: readonly ElementPicture[]
}

/** A message from the page to the worker. */
export type RasterJob = RasterOpen | RasterDraw | RasterKeep | RasterCompare | RasterStill | RasterProof

/** The worker's reply to each job, in order. */
export type RasterDone =
  /** The rows that were written; none if the picture equals the one before. */
  | RasterDrawn
  /** Without a file when something below would show through. */
  | { readonly still: Blob | undefined }
  | { readonly equal: boolean }
  | Likeness
  | { readonly problem: string; readonly isLost?: true }
