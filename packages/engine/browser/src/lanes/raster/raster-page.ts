import { randomUUID } from 'node:crypto'
import type { Segment } from '@vid/protocol'
import {
  KNOWN_BEFORE,
  type Likeness,
  planarModule,
  type RasterConfig,
  type RasterRange,
  type RasterRun,
  type RasterUnfit,
} from '@vid/runtime'
import { captureFailure } from '../../capture-errors.ts'
import { orAborted } from '../../driver/deadline.ts'
import type { CompositionPage } from '../../page/composition-page.ts'
import { callPage } from '../../page/page-call.ts'
import { pictureSize } from '../../pictures/picture-size.ts'
import { openRing, type RasterRing, RING_SLOTS } from './raster-ring.ts'
import { rasterRuns } from './raster-runs.ts'
import type { RawFormat } from './raw-pictures.ts'

/** The next frames of a range; if the last one was drawn, its rows can be read. */
export interface TakenRun extends RasterRun {
  /** Fills parts of a picture with the rows that were drawn, in order. */
  read(parts: readonly Uint8Array[]): Promise<void>
}

/** A composition that draws itself as an element, its pixels read from the ring. */
export interface RasterPage extends CompositionPage {
  /**
   * Captures the frames of a range, in order and ahead of the reader; the frames in `keep` can be compared, and those in
   * which something happens unless drawing one again is costly. The range may end earlier, at `end`; `later` frames of its segment follow.
   */
  take(
    range: Segment,
    how: { format: RawFormat; keep: readonly number[]; end?: () => number; later?: number },
  ): AsyncGenerator<TakenRun>
  /** Fills `pixels` with the rgba pixels of the shown frame as it looks now; throws VID_LANE_UNFIT where it cannot. */
  draw(pixels: Uint8Array): Promise<void>
  /** Compares a frame that was kept to a screenshot, a PNG in base64. */
  compare(frame: number, screenshot: string): Promise<Likeness | RasterUnfit>
  close(): Promise<void>
}

/** The part of a page's configuration that makes it ready for the raster lane. */
export const rasterConfig = (drawnBy: Pick<RasterConfig, 'onGpu' | 'native'>): RasterConfig => ({
  mark: randomUUID(),
  slots: RING_SLOTS,
  planar: planarModule(),
  ...drawnBy,
})

/** Returns the answer; throws VID_BROWSER_GPU_LOST for a lost picture, which is not a fault of the page. */
const requirePicture = <T>(answer: T | RasterUnfit, gpu = 'unknown'): T | RasterUnfit => {
  const isLost = typeof answer === 'object' && answer !== null && 'isLost' in answer
  if (isLost) throw captureFailure('VID_BROWSER_GPU_LOST', { gpu, reason: answer.unfit })
  return answer
}

/**
 * Opens the ring of a composition that was opened with `rasterConfig` and is drawn on the named GPU; throws
 * VID_LANE_UNFIT if it cannot be used.
 */
export const openRasterPage = async (
  composition: CompositionPage,
  profile: string,
  gpu?: string,
): Promise<RasterPage> => {
  const { page } = composition
  const { raster } = page.config
  const { width, height } = pictureSize(page.config)
  const unfit = (reason: string) => captureFailure('VID_LANE_UNFIT', { reason })
  const reason = await callPage(page, { doing: 'starting' }, 'raster.open')
  if (reason !== null) throw unfit(page.plain(reason))
  // Only now: what a page cannot draw in this lane may be an error to its scripts, which is none of the page.
  await composition.reportErrors()
  const ring: RasterRing | undefined = await openRing(profile, raster?.mark ?? '', width * height * 4)
  if (!ring) throw unfit('the browser keeps the pixels where they cannot be read')
  return {
    ...composition,
    async *take({ start, frames }, { format, keep, end, later = 0 }) {
      const keepsHappenings = !composition.isCostly
      await composition.reach(keepsHappenings ? Math.max(0, start - KNOWN_BEFORE) : start)
      const range: RasterRange = { start, frames, planar: format !== 'rgba', keep, later, keepsHappenings }
      await callPage(page, { doing: `showing frame ${start}` }, 'raster.begin', range)
      for await (const { run, slot } of rasterRuns(composition, range, end)) {
        requirePicture(run.last, gpu)
        yield {
          ...run,
          // If the page was closed meanwhile, its failure has the reason; an error of the ring's file does not.
          read: (parts) => orAborted(ring.read(slot, parts), page.failure),
        }
      }
    },
    async draw(pixels) {
      const doing = `drawing frame ${composition.shown()}`
      const answer = requirePicture(await callPage(page, { doing }, 'raster.draw', 0), gpu)
      if (answer !== 'repeat' && 'unfit' in answer) throw unfit(page.plain(answer.unfit))
      // It is drawn as a whole, like the first frame of a range.
      await orAborted(ring.read(0, [pixels]), page.failure)
    },
    async compare(frame, screenshot) {
      const doing = `comparing frame ${frame}`
      return requirePicture(await callPage(page, { doing }, 'raster.compare', frame, screenshot), gpu)
    },
    async close() {
      // Also where the page cannot be closed, since its browser has ended.
      await page.close().finally(ring.close)
    },
  }
}
