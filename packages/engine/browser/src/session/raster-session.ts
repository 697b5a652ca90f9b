import { randomUUID } from 'node:crypto'
import type { CaptureSession, Frame, FrameFormat, SegmentSlice } from '@vid/kernel'
import type { RenderPlan, Segment } from '@vid/protocol'
import { rawFrames } from '../lanes/lane-image.ts'
import { type RasterEnd, rasterFrames, rasterKind } from '../lanes/lane-raster.ts'
import { screenshotKind } from '../lanes/lane-screenshot.ts'
import type { RasterPage } from '../lanes/raster/raster-page.ts'
import { chooseRaw, createRawPictures } from '../lanes/raster/raw-pictures.ts'
import type { RasterSource } from '../lanes/raster-source.ts'
import { comparedFrames } from '../lanes/samples.ts'
import type { CompositionPage, FrameShare } from '../page/composition-page.ts'
import { pictureSize } from '../pictures/picture-size.ts'
import { createExaminedPage, createExaminedRaster } from './examined-page.ts'
import { pictureFrames } from './image-session.ts'
import { isUnfit, type RasterFallback } from './raster-fallback.ts'
import type { PagePlan } from './session-options.ts'
import type { SessionPages } from './session-pages.ts'
import { createProbe } from './session-probe.ts'

/** How the images of a range are taken. */
interface ImageSource {
  /** Opens a page that is ready to show a frame of the range; a new one that shares nothing if `isAlone`. */
  reference(frame: number, isAlone?: boolean): Promise<CompositionPage>
  readonly accepts: readonly FrameFormat[]
  readonly full: RenderPlan | undefined
}

/** How the frames of a range, or of a slice, are drawn. */
interface DrawnSource extends Pick<ImageSource, 'reference' | 'full'>, Pick<RasterSource, 'raw' | 'last'> {
  readonly slice: SegmentSlice | undefined
}

/** What decides which frames of a range are compared. */
type Shared = Pick<RasterSource, 'last' | 'isSegment'>

/** What a page tells another of the frames that both show. */
type ShareFrames = (role: FrameShare['role'], range: Segment, facts: Shared) => FrameShare

const createShares = (isCostly: boolean): ShareFrames => {
  const channel = randomUUID()
  return (role, { start, frames }, facts) => ({
    channel,
    role,
    frames: comparedFrames(start, frames, { ...facts, isCostly }),
  })
}

/**
 * The pages of a session for screenshots. What it returns opens such a page, ready to show frames of a range with one
 * seek; `isCompared` if the page that is captured shows them first.
 */
const createReferences = (openPlain: SessionPages['openPlain'], share: ShareFrames) => {
  let plain: CompositionPage | undefined
  return (
    range: Segment,
    full: RenderPlan | undefined,
    { isCompared, isSegment }: { readonly isCompared: boolean; readonly isSegment: boolean },
  ): ImageSource['reference'] => {
    let prepared: CompositionPage | undefined
    return async (frame, isAlone = false) => {
      if (plain && (isAlone || plain.shown() >= frame)) {
        await plain.page.close()
        plain = undefined
      }
      plain ??= await openPlain()
      const facts = full && { last: full.frames - 1, isSegment }
      const shared = isCompared && !isAlone && facts ? share('consumer', range, facts) : undefined
      if (full && prepared !== plain) await plain.prepare(full, frame, range.start + range.frames, shared)
      prepared = plain
      await plain.reach(frame)
      return plain
    }
  }
}

/** The pages of a session whose pictures are captured as an element, the first of which is open. */
const createRasterPages = (first: RasterPage, openRaster: SessionPages['openRaster'], share: ShareFrames) => {
  let raster: RasterPage | undefined = first
  const pageBefore = async (frame: number): Promise<RasterPage> => {
    if (raster && raster.shown() < frame) return raster
    await raster?.close()
    raster = undefined
    raster = await openRaster()
    return raster
  }
  /** Where a slice ended early, so that the rest need not be drawn to learn it again. */
  let refused: RasterEnd | undefined
  return {
    /** A page of its own for what changes pages; one that has shown nothing yet is taken first. */
    async takeExamined(): Promise<RasterPage> {
      if (!raster || raster.shown() >= 0) return openRaster()
      const unused = raster
      raster = undefined
      return unused
    },
    /** Draws the frames of a range; returns where it stopped early. */
    async *draw(range: Segment, { full, slice, ...source }: DrawnSource): AsyncGenerator<Frame, RasterEnd | undefined> {
      if (refused?.frame === range.start) return refused
      const page = await pageBefore(range.start)
      const facts = { last: source.last, isSegment: !slice }
      if (full) await page.prepare(full, range.start, range.start + range.frames, share('provider', range, facts))
      const later = slice ? slice.segment.start + slice.segment.frames - slice.end() : 0
      const stopped = yield* rasterFrames({
        ...source,
        ...facts,
        openAgain: (frame) => source.reference(frame, true),
        raster: page,
        range,
        end: slice?.end,
        later,
      })
      await page.reportErrors()
      refused = slice && stopped
      return stopped
    },
  }
}

/** Takes the images of a range by screenshots: those of the session that `openReduced` opens, if it is given. */
const createImages = (alpha: boolean, openReduced: (() => Promise<CaptureSession>) | undefined) => {
  let reduced: Promise<CaptureSession> | undefined
  return {
    async *take(range: Segment, { reference, accepts, full }: ImageSource): AsyncGenerator<Frame> {
      if (!openReduced) {
        yield* pictureFrames(screenshotKind, await reference(range.start), range, { accepts, alpha, full })
        return
      }
      reduced ??= openReduced().catch((error: unknown) => {
        // A later range tries again.
        reduced = undefined
        throw error
      })
      yield* (await reduced).frames(range, accepts, full)
    },
    async inputs() {
      return (await (await reduced)?.inputs?.()) ?? []
    },
    async report() {
      await (await reduced)?.report?.()
    },
    async close() {
      const opened = await reduced?.catch(() => undefined)
      await opened?.close()
    },
  }
}

/**
 * A session that captures its page as an element, or by screenshots where that is not possible: by those of the session
 * that `openReduced` opens, if it is given, in a browser that draws images larger than their pictures.
 */
export const rasterSession = async (
  pages: SessionPages,
  fallback: RasterFallback,
  plan: PagePlan,
  openReduced?: () => Promise<CaptureSession>,
): Promise<CaptureSession> => {
  const first = await pages.openRaster()
  const { config } = first.page
  const share = createShares(first.isCostly)
  const referenceOf = createReferences(pages.openPlain, share)
  const raster = createRasterPages(first, pages.openRaster, share)
  const images = createImages(plan.alpha, openReduced)
  let lane = rasterKind.name

  async function* imagesOf(range: Segment, source: ImageSource): AsyncGenerator<Frame> {
    lane = screenshotKind.name
    yield* images.take(range, source)
  }
  /** Captures a range, or what is drawn of it if it is part of a slice; others capture the rest. */
  async function* capture(
    range: Segment,
    accepts: readonly FrameFormat[],
    full: RenderPlan | undefined,
    slice?: SegmentSlice,
  ): AsyncGenerator<Frame> {
    const isHdr = full?.hdr !== undefined && accepts.includes('yuv420p10')
    // Frames must not depend on who captures them, so a segment is refused as a whole.
    const { start } = slice?.segment ?? range
    const format = isHdr || fallback.isRefused(start) ? undefined : chooseRaw(accepts, config)
    const reference = referenceOf(range, full, { isCompared: format !== undefined, isSegment: !slice })
    if (!format) {
      if (!slice) yield* imagesOf(range, { reference, accepts, full })
      return
    }
    const { width, height } = pictureSize(config)
    const raw = createRawPictures(format, width, height)
    lane = rasterKind.name
    const last = (full?.frames ?? range.start + range.frames) - 1
    try {
      const stopped = yield* raster.draw(range, { full, reference, raw, last, slice })
      if (!stopped || slice) return
      fallback.warn(stopped.reason)
      const rest = { ...range, start: stopped.frame, frames: range.start + range.frames - stopped.frame }
      yield* rawFrames(imagesOf(rest, { reference, accepts: ['png'], full }), raw)
    } catch (error) {
      // The pictures of a lost GPU are no reason to refuse the page later.
      if (isUnfit(error) && !(await pages.gpuLoss())) fallback.refuse(error, start)
      throw lane === rasterKind.name ? fallback.noteCrash(error, start) : error
    }
  }

  return {
    probe: fallback.noting(createProbe(first, plan, rasterKind, pages)),
    frames: (range, accepts, full) => capture(range, accepts, full),
    slice: (start, slice, accepts, full) =>
      capture({ index: slice.segment.index, start, frames: slice.end() - start }, accepts, full, slice),
    show: createExaminedPage(screenshotKind, pages.openPlain),
    showPixels: createExaminedRaster(raster.takeExamined),
    async inputs() {
      const all = [...(await pages.inputs()), ...(await images.inputs())]
      return [...new Map(all.map((file) => [`${file.digest} ${file.source}`, file])).values()]
    },
    async report() {
      await Promise.all([pages.report(), images.report()])
    },
    lane: () => lane,
    async close() {
      await Promise.all([pages.close(), images.close()])
    },
  }
}
