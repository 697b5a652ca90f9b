import { randomUUID } from 'node:crypto'
import type { CaptureSession, Frame, FrameFormat, RenderPlan, Segment } from '@vid/kernel'
import { rawFrames } from '../lanes/lane-image.ts'
import { rasterFrames, rasterKind } from '../lanes/lane-raster.ts'
import { screenshotKind } from '../lanes/lane-screenshot.ts'
import type { RasterPage } from '../lanes/raster/raster-page.ts'
import { chooseRaw, createRawPictures } from '../lanes/raster/raw-pictures.ts'
import { sampledFrames } from '../lanes/samples.ts'
import type { CompositionPage, FrameShare } from '../page/composition-page.ts'
import { pictureSize } from '../pictures/picture-size.ts'
import { createExaminedPage, createExaminedRaster } from './examined-page.ts'
import { pictureFrames } from './image-session.ts'
import { isUnfit, type RasterFallback, unfitReason } from './raster-fallback.ts'
import type { PagePlan } from './session-options.ts'
import type { SessionPages } from './session-pages.ts'
import { createProbe } from './session-probe.ts'

/**
 * A session that captures its page as an element, or by screenshots where that is not possible: by those of the session
 * that `openReduced` opens, if it is given, in a browser that draws images larger than their pictures.
 */
export const rasterSession = async (
  { openRaster, openPlain, inputs, report, gpuLoss, close }: SessionPages,
  fallback: RasterFallback,
  plan: PagePlan,
  openReduced?: () => Promise<CaptureSession>,
): Promise<CaptureSession> => {
  let raster: RasterPage | undefined = await openRaster()
  const { isCostly } = raster
  const { config } = raster.page
  const probe = createProbe(raster, plan, openPlain)
  let plain: CompositionPage | undefined
  let reduced: Promise<CaptureSession> | undefined
  let lane = rasterKind.name
  const channel = randomUUID()
  const share = (role: FrameShare['role'], { start, frames }: Segment, last: number): FrameShare => ({
    channel,
    role,
    frames: sampledFrames(start, frames, { last, isCostly }),
  })
  /**
   * Opens pages of the composition for screenshots, ready to show frames of a range with one seek; `isCompared` if
   * the page that is captured shows them first.
   */
  const referenceOf = (range: Segment, full: RenderPlan | undefined, isCompared: boolean) => {
    let prepared: CompositionPage | undefined
    return async (frame: number): Promise<CompositionPage> => {
      if (plain && plain.shown() >= frame) {
        await plain.page.close()
        plain = undefined
      }
      plain ??= await openPlain()
      const shared = isCompared && full ? share('consumer', range, full.frames - 1) : undefined
      if (full && prepared !== plain) await plain.prepare(full, frame, range.start + range.frames, shared)
      prepared = plain
      await plain.reach(frame)
      return plain
    }
  }
  const rasterAt = async (frame: number): Promise<RasterPage> => {
    if (raster && raster.shown() < frame) return raster
    await raster?.close()
    return openRaster()
  }
  /** A page of its own for what changes pages; one that has shown nothing yet is taken first. */
  const examinedRaster = async (): Promise<RasterPage> => {
    if (!raster || raster.shown() >= 0) return openRaster()
    const unused = raster
    raster = undefined
    return unused
  }

  return {
    probe,
    async *frames(range: Segment, accepts: readonly FrameFormat[], full?: RenderPlan): AsyncGenerator<Frame> {
      const end = range.start + range.frames
      const isHdr = full?.hdr !== undefined && accepts.includes('yuv420p10')
      const format = isHdr || fallback.isRefused(range.start) ? undefined : chooseRaw(accepts, config)
      const reference = referenceOf(range, full, format !== undefined)
      const images = async function* (start: number, formats: readonly FrameFormat[]) {
        const rest = { ...range, start, frames: end - start }
        if (openReduced) {
          reduced ??= openReduced().catch((error: unknown) => {
            // A later range tries again.
            reduced = undefined
            throw error
          })
          yield* (await reduced).frames(rest, formats, full)
          return
        }
        yield* pictureFrames(screenshotKind, await reference(start), rest, {
          accepts: formats,
          alpha: plan.alpha,
          full,
        })
      }
      lane = screenshotKind.name
      if (!format) {
        yield* images(range.start, accepts)
        return
      }
      const { width, height } = pictureSize(config)
      const raw = createRawPictures(format, width, height)
      lane = rasterKind.name
      const last = (full?.frames ?? end) - 1
      try {
        const page = await rasterAt(range.start)
        raster = page
        if (full) await page.prepare(full, range.start, end, share('provider', range, last))
        const stopped = yield* rasterFrames({ raster: page, range, reference, raw, last })
        await page.reportErrors()
        if (!stopped) return
        lane = screenshotKind.name
        fallback.warn(stopped.reason)
        yield* rawFrames(images(stopped.frame, ['png']), raw)
      } catch (error) {
        // The pictures of a lost GPU are no reason to refuse the page later.
        if (isUnfit(error) && !(await gpuLoss())) fallback.refuse(unfitReason(error), range.start)
        throw error
      }
    },
    show: createExaminedPage(screenshotKind, openPlain),
    showPixels: createExaminedRaster(examinedRaster),
    async inputs() {
      const [all, more] = [await inputs(), (await (await reduced)?.inputs?.()) ?? []]
      return [...new Map([...all, ...more].map((file) => [`${file.digest} ${file.source}`, file])).values()]
    },
    async report() {
      await Promise.all([report(), reduced?.then((session) => session.report?.())])
    },
    lane: () => lane,
    async close() {
      const opened = await reduced?.catch(() => undefined)
      await Promise.all([close(), opened?.close()])
    },
  }
}
