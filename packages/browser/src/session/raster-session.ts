import { randomUUID } from 'node:crypto'
import type { CaptureSession, Frame, FrameFormat, RenderPlan, Segment } from '@vid/kernel'
import { reductionOf } from '../driver/device-scale.ts'
import { chooseFormat } from '../driver/lane.ts'
import { hdrFrames } from '../lanes/lane-hdr.ts'
import { imageFrames, rawFrames } from '../lanes/lane-image.ts'
import { rasterFrames, rasterKind } from '../lanes/lane-raster.ts'
import { screenshotKind } from '../lanes/lane-screenshot.ts'
import { pictureSize } from '../lanes/picture-size.ts'
import type { RasterPage } from '../lanes/raster/raster-page.ts'
import { chooseRaw, createRawPictures } from '../lanes/raster/raw-pictures.ts'
import { sampledFrames } from '../lanes/samples.ts'
import type { CompositionPage, FrameShare } from '../page/composition-page.ts'
import { createExaminedPage, createExaminedRaster } from './examined-page.ts'
import { isUnfit, type RasterFallback, unfitReason } from './raster-fallback.ts'
import type { PagePlan } from './session-options.ts'
import type { SessionPages } from './session-pages.ts'
import { createProbe } from './session-probe.ts'

/** A session that captures its page as an element, or by screenshots where that is not possible. */
export const rasterSession = async (
  { openRaster, openPlain, openReference, inputs, report, gpuLoss, close }: SessionPages,
  fallback: RasterFallback,
  plan: PagePlan,
): Promise<CaptureSession> => {
  let raster: RasterPage | undefined = await openRaster()
  const { isCostly } = raster
  const { config } = raster.page
  const probe = createProbe(raster, plan, openPlain)
  const isReduced = reductionOf(config.scale ?? 1) > 1
  let plain: CompositionPage | undefined
  let lane = rasterKind.name
  const channel = randomUUID()
  const share = (role: FrameShare['role'], { start, frames }: Segment, last: number): FrameShare => ({
    channel,
    role,
    frames: sampledFrames(start, frames, { last, isCostly }),
  })
  /**
   * Opens pages of the composition for screenshots, ready to show frames of a range with one seek, either as pictures
   * of the video or to be compared with these.
   */
  const screenshotsOf = (range: Segment, full: RenderPlan | undefined) => {
    let prepared: CompositionPage | undefined
    return async (frame: number, isPicture = false): Promise<CompositionPage> => {
      const open = isPicture || !isReduced ? openPlain : openReference
      if (plain && (plain.shown() >= frame || plain.page.reduction > 1 !== (isPicture && isReduced))) {
        await plain.page.close()
        plain = undefined
      }
      plain ??= await open()
      if (full && prepared !== plain)
        await plain.prepare(full, frame, range.start + range.frames, share('consumer', range, full.frames - 1))
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
      const screenshotPage = screenshotsOf(range, full)
      lane = screenshotKind.name
      if (full?.hdr && accepts.includes('yuv420p10')) {
        yield* hdrFrames(screenshotKind, await screenshotPage(range.start, true), range, full, full.hdr)
        return
      }
      const images = async function* (start: number, format: FrameFormat) {
        yield* imageFrames(screenshotKind, await screenshotPage(start, true), { start, frames: end - start }, format)
      }
      const format = chooseRaw(accepts, config)
      if (!format || fallback.isRefused(range.start)) {
        yield* images(range.start, chooseFormat(screenshotKind, accepts, { alpha: plan.alpha, isReduced }))
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
        const stopped = yield* rasterFrames({ raster: page, range, reference: screenshotPage, raw, last })
        await page.reportErrors()
        if (!stopped) return
        lane = screenshotKind.name
        fallback.warn(stopped.reason)
        yield* rawFrames(images(stopped.frame, 'png'), raw)
      } catch (error) {
        // The pictures of a lost GPU are no reason to refuse the page later.
        if (isUnfit(error) && !(await gpuLoss())) fallback.refuse(unfitReason(error), range.start)
        throw error
      }
    },
    show: createExaminedPage(screenshotKind, openPlain),
    showPixels: createExaminedRaster(examinedRaster),
    inputs,
    report,
    lane: () => lane,
    close,
  }
}
