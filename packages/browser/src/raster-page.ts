import { randomUUID } from 'node:crypto'
import { type Likeness, planarModule, type RasterAnswer, type RasterOrder } from '@vid/runtime'
import { captureFailure } from './capture-errors.ts'
import type { CompositionPage } from './composition-page.ts'
import { orAborted } from './deadline.ts'
import { openRing, type RasterRing, RING_SLOTS } from './raster-ring.ts'
import type { RawFormat } from './raw-pictures.ts'

/** A composition that draws itself as an element, its pixels read from the ring. */
export interface RasterPage extends CompositionPage {
  /**
   * Asks for the picture of a frame; up to `RING_SLOTS - 2` may be asked for ahead. A `fresh` one is no repeat, and one
   * that is kept can be compared.
   */
  take(frame: number, how: { format: RawFormat; fresh: boolean; keep: boolean }): Promise<RasterAnswer>
  /** Compares a frame that was kept to a screenshot, a PNG in base64. */
  compare(frame: number, screenshot: string): Promise<Likeness | { readonly unfit: string }>
  /** Fills `pixels` with those of a frame that was drawn. */
  read(frame: number, pixels: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** What a page is told so that it can be captured as an element. */
export const rasterConfig = () => ({ mark: randomUUID(), slots: RING_SLOTS, planar: planarModule() })

/** Opens the ring of a composition that was opened with `rasterConfig`, or throws why it cannot be captured so. */
export const openRasterPage = async (composition: CompositionPage, profile: string): Promise<RasterPage> => {
  const { page, seek } = composition
  const { width, height, raster } = page.config
  const unfit = (reason: string) => captureFailure('VID_LANE_UNFIT', { reason })
  const reason = (await page.evaluate('__vidHost.raster.open()', 'starting')) as string | null
  if (reason !== null) throw unfit(page.plain(reason))
  const ring: RasterRing | undefined = await openRing(profile, raster?.mark ?? '', width * height * 4)
  if (!ring) throw unfit('the browser keeps the pixels where they cannot be read')
  const slotOf = (frame: number) => frame % RING_SLOTS
  return {
    ...composition,
    take: (frame, { format, ...how }) => {
      const order: RasterOrder = { frame, slot: slotOf(frame), planar: format !== 'rgba', ...how }
      return seek(frame, `__vidHost.raster.take(${JSON.stringify(order)})`) as Promise<RasterAnswer>
    },
    compare: (frame, screenshot) =>
      page.evaluate(
        `__vidHost.raster.compare(${frame},"${screenshot}")`,
        `comparing frame ${frame}`,
      ) as Promise<Likeness | { readonly unfit: string }>,
    // A page that is closed while its frames are read tells why; the file of its ring does not.
    read: (frame, pixels) => orAborted(ring.read(slotOf(frame), pixels), page.failure),
    async close() {
      await page.close()
      await ring.close()
    },
  }
}
