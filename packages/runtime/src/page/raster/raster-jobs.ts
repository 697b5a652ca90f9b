import type { RasterConfig } from '../../contract/page-config.ts'
import type { Likeness } from '../../contract/raster.ts'

/** The first job: the canvas to draw on, and the settings of the file that receives the pixels. */
export interface RasterOpen extends RasterConfig {
  readonly canvas: OffscreenCanvas
  readonly alpha: boolean
}

/** A captured element and what to do with its pixels. */
export interface RasterDraw {
  readonly picture: object
  readonly frame: number
  readonly slot: number
  readonly planar: boolean
  /** Whether it is written even if its pixels equal those before. */
  readonly fresh: boolean
  /** Whether its pixels are kept to be compared. */
  readonly keep: boolean
}

/** A screenshot, a PNG in base64, to compare with a kept frame. */
export interface RasterCompare {
  readonly compared: number
  readonly screenshot: string
}

/** What the page sends to the worker. */
export type RasterJob = RasterOpen | RasterDraw | RasterCompare

/** What the worker answers to each job, in order. */
export type RasterDone =
  | { readonly drawn: boolean }
  | Likeness
  | { readonly problem: string; readonly isLost?: true }
