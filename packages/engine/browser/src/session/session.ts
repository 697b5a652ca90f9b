import { compileEntryTask } from '@vid/core'
import { type CaptureSession, type Frame, readHere } from '@vid/kernel'
import { type RenderPlan, ratioOf } from '@vid/protocol'
import { captureWarning } from '../capture-warnings.ts'
import { reductionOf } from '../driver/device-scale.ts'
import type { LaneKind } from '../driver/lane.ts'
import { isPortable, requireParts } from '../driver/portable-driver.ts'
import { openFastestLane } from '../lanes/image-lane-choice.ts'
import {
  canRaster,
  chooseLane,
  type ImageLane,
  isControllable,
  measuredLane,
  narrowLane,
  rasterEligibility,
} from '../lanes/lane-choice.ts'
import { rasterKind } from '../lanes/lane-raster.ts'
import { screenshotKind } from '../lanes/lane-screenshot.ts'
import { imageSession } from './image-session.ts'
import { createRasterFallback, isUnfit } from './raster-fallback.ts'
import { rasterSession } from './raster-session.ts'
import type { SessionOptions } from './session-options.ts'
import { type SessionPages, startPages } from './session-pages.ts'

/** Passes each warning on once, since the pages of a session report the same ones. */
const once = (warn: SessionOptions['warn']): SessionOptions['warn'] => {
  const reported = new Set<string>()
  return (warning) => {
    const key = `${warning.code} ${warning.message}`
    if (reported.has(key)) return
    reported.add(key)
    warn(warning)
  }
}

const markedShow =
  <T>(show: (frame: number, plan: RenderPlan) => Promise<T>, begin: SessionPages['begin']): typeof show =>
  async (frame, plan) => {
    const end = begin()
    const shown = await show(frame, plan)
    end()
    return shown
  }

/** Passes frames on, which are unfinished work in the session's browser until their reader has the last one. */
async function* markedFrames(
  frames: AsyncIterable<Frame>,
  isLast: (frame: Frame) => boolean,
  { begin, gpuLoss }: SessionPages,
  signal: AbortSignal,
): AsyncGenerator<Frame> {
  const end = begin()
  // A reader that stops after the last frame leaves no unfinished work.
  let isOver = false
  try {
    for await (const frame of frames) {
      const isEnd = isLast(frame)
      // Once it has the last frame, a reader relies on all of them.
      const loss = isEnd ? await gpuLoss() : undefined
      if (loss) throw loss
      isOver = isEnd
      yield frame
      isOver = false
    }
    isOver = true
  } catch (thrown) {
    if (signal.aborted) throw thrown
    throw (await gpuLoss().catch(() => undefined)) ?? thrown
  } finally {
    if (isOver) end()
  }
}

/** Marks failed or interrupted work in the session's browser as unfinished. */
const markWork = (
  session: CaptureSession,
  pages: SessionPages,
  { driver, signal }: Pick<SessionOptions, 'driver' | 'signal'>,
): CaptureSession => {
  const { slice, show, showPixels } = session
  const { begin } = pages
  return {
    ...session,
    async probe() {
      const end = begin()
      const probe = await session.probe()
      end()
      return probe
    },
    ...(show && { show: markedShow(show, begin) }),
    ...(showPixels && { showPixels: markedShow(showPixels, begin) }),
    async *frames(range, accepts, full) {
      requireParts(driver, { hdr: full?.hdr !== undefined })
      const last = range.start + range.frames - 1
      yield* markedFrames(session.frames(range, accepts, full), ({ index }) => index === last, pages, signal)
    },
    ...(slice && {
      slice: (start, part, ...options) =>
        markedFrames(slice(start, part, ...options), ({ index }) => index + 1 >= part.end(), pages, signal),
    }),
  }
}

/** Adds the lane that was measured to be the fastest to the settings of a page's plan. */
const withLane = (session: CaptureSession, imageLane: ImageLane): CaptureSession => ({
  ...session,
  probe: async () => ({ ...(await session.probe()), settings: { imageLane } }),
})

/** Opens a composition in a browser, in the fastest lane that both support; the session owns everything it starts. */
export const openCaptureSession = async (options: SessionOptions): Promise<CaptureSession> => {
  const { plan, projectDir, executable, driver, gpu, picturesOnly, reading = readHere, signal } = options
  // A page that is drawn on command shares the browser of those that draw its frames.
  const isCommanded = options.imageLane === 'begin-frame'
  const isForPictures = picturesOnly && options.lane === 'auto' && !isCommanded
  const lane = narrowLane(isForPictures ? 'screenshot' : options.lane, driver)
  const warn = once(options.warn)
  const { width, height, scale, fps, variables, alpha } = plan
  requireParts(driver, { alpha })
  const { entry, shape } = plan.composition
  const html = await reading(compileEntryTask, { projectDir, entry, shape }, signal)
  const view = { width, height, scale, fps, variables, alpha }
  const eligibility = rasterEligibility({ projectDir, html, ...view, gpu: gpu?.name })
  const mayRaster = lane === 'auto' && canRaster(executable)
  const refusal = mayRaster ? eligibility.refusal() : undefined
  if (refusal !== undefined) warn(captureWarning('VID_LANE_FALLBACK', refusal))
  const fallback = createRasterFallback(lane, eligibility, warn)
  const { num, den } = ratioOf(scale ?? 1)
  const isReduced = reductionOf(num / den) > 1 && !isPortable(driver)
  const open = async (kind: LaneKind): Promise<CaptureSession> => {
    const pages = await startPages({ ...options, warn, html, kind })
    try {
      const isRaster = kind === rasterKind
      const openReduced = isReduced ? () => open(screenshotKind) : undefined
      const session = isRaster ? rasterSession(pages, fallback, plan, openReduced) : imageSession(pages, kind, plan)
      return markWork(await session, pages, options)
    } catch (error) {
      const loss = await pages.gpuLoss().catch(() => undefined)
      await pages.close()
      throw loss ?? error
    }
  }
  const choose = (fits: boolean, image = options.imageLane) => chooseLane(lane, executable, { fits, image })
  const measured = measuredLane({ projectDir, html, width, height, scale, fps, alpha, gpu: gpu?.name })
  const openImages = async (): Promise<CaptureSession> => {
    if (lane !== 'auto' || options.imageLane !== undefined || !isControllable(executable)) return open(choose(false))
    const openIn = (image: ImageLane) => open(choose(false, image))
    const remembered = measured.get()
    if (remembered !== undefined) return withLane(await openIn(remembered), remembered)
    const fastest = await openFastestLane(openIn, fps)
    measured.set(fastest.lane)
    return withLane(fastest.session, fastest.lane)
  }
  try {
    return await (lane !== 'auto' || (mayRaster && refusal === undefined) ? open(choose(true)) : openImages())
  } catch (error) {
    if (!isUnfit(error)) throw mayRaster && refusal === undefined ? fallback.noteCrash(error) : error
    // A page that this lane cannot capture after loading cannot be captured in a later session either.
    fallback.refuse(error)
    return openImages()
  }
}
