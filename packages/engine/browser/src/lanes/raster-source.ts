import type { Segment } from '@vid/protocol'
import type { CompositionPage } from '../page/composition-page.ts'
import type { RasterPage } from './raster/raster-page.ts'
import type { RawPictures } from './raster/raw-pictures.ts'

/** The source of a range's frames. */
export interface RasterSource {
  readonly raster: RasterPage
  readonly raw: RawPictures
  readonly range: Segment
  /** The frame before which the range ends now; an earlier one when another page captures the rest. */
  readonly end?: (() => number) | undefined
  /** Frames of its segment that follow the range, which this page and others capture. */
  readonly later?: number
  /** Whether the range is a whole segment, not a slice of one. */
  readonly isSegment: boolean
  /** The last frame of the whole composition. */
  readonly last: number
  /** Opens the same composition without a canvas around it, ready to show a frame with one seek. */
  reference(frame: number): Promise<CompositionPage>
  /** Opens another one for a frame and later ones, which shares nothing with the page that is captured. */
  openAgain(first: number): Promise<CompositionPage>
}
