import { randomUUID } from 'node:crypto'
import { compileEntry } from '@vid/core'
import {
  type CaptureSession,
  type Frame,
  type FrameFormat,
  isVidError,
  type Probe,
  type RenderPlan,
  type Segment,
  type SharedPool,
  type VidError,
  type Warning,
} from '@vid/kernel'
import { captureFailure, captureWarnings } from '../capture-errors.ts'
import { findDepth } from '../lanes/depth.ts'
import { chooseFormat, type LaneKind } from '../lanes/lane.ts'
import { canRaster, chooseLane, type LaneChoice, narrowLane, rasterVerdict } from '../lanes/lane-choice.ts'
import { lightPages } from '../lanes/lane-hdr.ts'
import { imageFrames, rawFrames } from '../lanes/lane-image.ts'
import { rasterFrames, rasterKind } from '../lanes/lane-raster.ts'
import { screenshotKind } from '../lanes/lane-screenshot.ts'
import type { RasterPage } from '../lanes/raster/raster-page.ts'
import { chooseRaw, createRawPictures } from '../lanes/raster/raw-pictures.ts'
import { sampledFrames } from '../lanes/samples.ts'
import type { BrowserExecutable } from '../launch/find.ts'
import type { FrameShare } from '../media/media-supply.ts'
import { sampleVolumes } from '../media/volume-curves.ts'
import type { PageDriver } from '../page/cdp.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import type { ReadinessLimits } from '../page/readiness.ts'
import { type PortableDriver, requireParts } from '../portable/portable-driver.ts'
import { type SessionPages, startPages } from './session-pages.ts'

/** What decides the pixels of a page. */
export type PagePlan = Pick<RenderPlan, 'width' | 'height' | 'fps' | 'variables' | 'alpha'> & {
  readonly composition: Pick<RenderPlan['composition'], 'entry'>
  /** Number of frames, where it is known before the probe; 1 where it is not. */
  readonly frames?: number
}

/** What a capture session is opened with. */
export interface SessionOptions {
  readonly driver: PageDriver | PortableDriver
  readonly executable: BrowserExecutable
  readonly plan: PagePlan
  /** Absolute folder of the composition. */
  readonly projectDir: string
  readonly lane: LaneChoice
  /** Hosts at private addresses, as `name` or `name:port`, that files may be fetched from. */
  readonly privateHosts?: readonly string[]
  readonly signal: AbortSignal
  /** Where browsers come from and go to; without it, the session has one of its own. */
  readonly shared?: SharedPool | undefined
  warn(warning: Warning): void
  /** Longest silence of the page while it loads or shows one frame, in milliseconds. */
  readonly livenessMs?: number
  readonly readiness?: Partial<ReadinessLimits>
}

/** How a session leaves the raster lane; all but `isKnown` throw when it must not. */
interface FallBack {
  /** Tells why frames are captured otherwise. */
  tell(reason: string): void
  /** Tells it, and remembers it of the range that begins with a frame. */
  refuse(start: number, reason: string): void
  /** Whether the range that begins with a frame was refused before. */
  isKnown(start: number): boolean
}

const isUnfit = (error: unknown): error is VidError => isVidError(error) && error.code === 'VID_LANE_UNFIT'

const reasonOf = ({ facts }: VidError): string => String(facts.reason)

/** Tells each warning once: pages of one session say the same. */
const once = (warn: SessionOptions['warn']): SessionOptions['warn'] => {
  const told = new Set<string>()
  return (warning) => {
    const key = `${warning.code} ${warning.message}`
    if (told.has(key)) return
    told.add(key)
    warn(warning)
  }
}

/** Answers a probe from the page that was opened, and samples its volumes when scripts move them. */
const createProbe = (
  { probe, volumesMove }: CompositionPage,
  { fps, frames = 1 }: PagePlan,
  open: SessionPages['openPlain'],
): CaptureSession['probe'] => {
  const probeVolumes = async (): Promise<Probe> => {
    const length = frames > 1 ? frames : Math.ceil((probe.duration ?? 0) * fps)
    // Without a length there is nothing to render either.
    if (!volumesMove || !Number.isFinite(length)) return probe
    const media = await sampleVolumes({ media: probe.media ?? [], fps, frames: length, open })
    return { ...probe, media }
  }
  let probing: Promise<Probe> | undefined
  return () => {
    probing ??= probeVolumes()
    return probing
  }
}

/** A session whose pages are captured as images. */
const imageSession = async (
  { openPlain, inputs, close }: SessionPages,
  kind: LaneKind,
  plan: PagePlan,
): Promise<CaptureSession> => {
  let page = await openPlain()
  return {
    probe: createProbe(page, plan, openPlain),
    async *frames(range: Segment, accepts: readonly FrameFormat[], full?: RenderPlan): AsyncGenerator<Frame> {
      if (page.shown() >= range.start) {
        await page.page.close()
        page = await openPlain()
      }
      if (full) await page.prepare(full, range.start, range.start + range.frames)
      if (full?.hdr && accepts.includes('yuv420p10')) yield* lightPages(kind, page, range, full, full.hdr)
      else yield* imageFrames(kind, page, range, chooseFormat(kind, accepts, plan.alpha))
    },
    inputs,
    close,
  }
}

/** A session whose page is captured as an element, and by screenshots where that does not go. */
const rasterSession = async (
  { openRaster, openPlain, inputs, close }: SessionPages,
  fallBack: FallBack,
  plan: PagePlan,
): Promise<CaptureSession> => {
  let raster: RasterPage = await openRaster()
  let plain: CompositionPage | undefined
  const channel = randomUUID()
  const share = (role: FrameShare['role'], { start, frames }: Segment, last: number): FrameShare => ({
    ...{ channel, role },
    frames: sampledFrames(start, frames, last),
  })
  /** Makes pages of the composition as screenshots show it, one seek before frames of a range. */
  const referenceOf = (range: Segment, full: RenderPlan | undefined) => {
    let prepared: CompositionPage | undefined
    return async (frame: number): Promise<CompositionPage> => {
      if (plain && plain.shown() >= frame) {
        await plain.page.close()
        plain = undefined
      }
      plain ??= await openPlain()
      if (full && prepared !== plain)
        await plain.prepare(
          full,
          frame,
          range.start + range.frames,
          share('consumer', range, full.frames - 1),
        )
      prepared = plain
      await plain.reach(frame)
      return plain
    }
  }
  const rasterAt = async (frame: number): Promise<RasterPage> => {
    if (raster.shown() < frame) return raster
    await raster.close()
    return openRaster()
  }

  return {
    probe: createProbe(raster, plan, openPlain),
    async *frames(range: Segment, accepts: readonly FrameFormat[], full?: RenderPlan): AsyncGenerator<Frame> {
      const end = range.start + range.frames
      const reference = referenceOf(range, full)
      if (full?.hdr && accepts.includes('yuv420p10')) {
        yield* lightPages(screenshotKind, await reference(range.start), range, full, full.hdr)
        return
      }
      const images = async function* (start: number, format: FrameFormat) {
        yield* imageFrames(screenshotKind, await reference(start), { start, frames: end - start }, format)
      }
      const format = chooseRaw(accepts, raster.page.config)
      if (!format || fallBack.isKnown(range.start)) {
        yield* images(range.start, chooseFormat(screenshotKind, accepts, plan.alpha))
        return
      }
      const raw = createRawPictures(format, plan.width, plan.height)
      const last = (full?.frames ?? end) - 1
      try {
        raster = await rasterAt(range.start)
        if (full) await raster.prepare(full, range.start, end, share('provider', range, last))
        const stopped = yield* rasterFrames({ raster, range, reference, raw, last })
        await raster.reportErrors()
        if (!stopped) return
        fallBack.tell(stopped.reason)
        yield* rawFrames(images(stopped.frame, 'png'), raw)
      } catch (error) {
        if (isUnfit(error)) fallBack.refuse(range.start, reasonOf(error))
        throw error
      }
    },
    inputs,
    close,
  }
}

/** Marks work in the session's browser that fails, or is left in the middle, as never ended. */
const markWork = (
  session: CaptureSession,
  { begin }: SessionPages,
  driver: SessionOptions['driver'],
): CaptureSession => ({
  ...session,
  async probe() {
    const end = begin()
    const probe = await session.probe()
    end()
    return probe
  },
  async *frames(...range) {
    requireParts(driver, { hdr: range[2]?.hdr !== undefined })
    const end = begin()
    yield* session.frames(...range)
    end()
  },
})

/** Starts a browser on a composition in the fastest way that both can; the session owns all that it starts. */
export const openCaptureSession = async (options: SessionOptions): Promise<CaptureSession> => {
  const { plan, projectDir, executable, driver, signal } = options
  const lane = narrowLane(options.lane, driver)
  const warn = once(options.warn)
  const { width, height, fps, variables, alpha } = plan
  requireParts(driver, { alpha })
  const { html } = await compileEntry(projectDir, plan.composition.entry, { signal })
  const verdict = rasterVerdict({ projectDir, html, width, height, fps, variables, alpha })
  const mayRaster = lane === 'auto' && canRaster(executable)
  const known = mayRaster ? (findDepth(html) ?? verdict.reason()) : undefined
  if (known !== undefined) warn(captureWarnings.fallback(known))
  const tell = (reason: string) => {
    if (lane !== 'auto') throw captureFailure('VID_LANE_UNFIT', { reason })
    warn(captureWarnings.fallback(reason))
  }
  const fallBack: FallBack = {
    tell,
    refuse(start, reason) {
      tell(reason)
      verdict.refuse(reason, start)
    },
    isKnown: (start) => lane === 'auto' && verdict.reason(start) !== undefined,
  }
  const open = async (kind: LaneKind): Promise<CaptureSession> => {
    const pages = await startPages({ ...options, warn, html, kind })
    try {
      const session =
        kind === rasterKind ? rasterSession(pages, fallBack, plan) : imageSession(pages, kind, plan)
      return markWork(await session, pages, driver)
    } catch (error) {
      await pages.close()
      throw error
    }
  }
  try {
    return await open(chooseLane(lane, executable, known === undefined))
  } catch (error) {
    if (!isUnfit(error)) throw error
    tell(reasonOf(error))
    // What the page is when it has loaded is the same in every session of it.
    verdict.refuse(reasonOf(error))
    return open(chooseLane(lane, executable, false))
  }
}
