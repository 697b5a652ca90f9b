import { randomUUID } from 'node:crypto'
import { planarModule, type RasterAnswer } from '@vid/runtime'
import { captureFailure } from './capture-errors.ts'
import type { CompositionPage } from './composition-page.ts'
import type { RawFormat } from './likeness.ts'
import { openRing, type RasterRing, RING_SLOTS } from './raster-ring.ts'

/** A composition that draws itself as an element, its pixels read from the ring. */
export interface RasterPage extends CompositionPage {
  /** Asks for the picture of a frame; up to `RING_SLOTS - 2` may be asked for ahead. A `fresh` one is no repeat. */
  take(frame: number, format: RawFormat, fresh: boolean): Promise<RasterAnswer>
  /** Pixels of a frame that was drawn. */
  read(frame: number, format: RawFormat): Promise<Uint8Array>
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

  const bytesOf = (format: RawFormat) => width * height * (format === 'rgba' ? 4 : 1.5)
  return {
    ...composition,
    take: (frame, format, fresh) => {
      const command = `__vidHost.raster.take(${frame},${slotOf(frame)},${fresh},${format === 'yuv420p'})`
      return seek(frame, command) as Promise<RasterAnswer>
    },
    read: (frame, format) => ring.read(slotOf(frame), bytesOf(format)),
    async close() {
      await page.close()
      await ring.close()
    },
  }
}
