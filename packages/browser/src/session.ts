import { compileEntry } from '@vid/core'
import {
  type CaptureSession,
  type Frame,
  type FrameFormat,
  isVidError,
  type RenderPlan,
  type Segment,
  type VidError,
  type Warning,
} from '@vid/kernel'
import { captureFailure, captureWarnings } from './capture-errors.ts'
import type { PageDriver } from './cdp.ts'
import type { CompositionPage } from './composition-page.ts'
import type { BrowserExecutable } from './find.ts'
import { chooseFormat, type LaneKind } from './lane.ts'
import { chooseLane, type LaneChoice, rasterVerdict } from './lane-choice.ts'
import { imageFrames, rawFrames } from './lane-image.ts'
import { rasterFrames, rasterKind } from './lane-raster.ts'
import { screenshotKind } from './lane-screenshot.ts'
import type { RasterPage } from './raster-page.ts'
import type { ReadinessLimits } from './readiness.ts'
import { type SessionPages, startPages } from './session-pages.ts'

/** What decides the pixels of a page. */
export type PagePlan = Pick<RenderPlan, 'width' | 'height' | 'fps' | 'variables' | 'alpha'> & {
  readonly composition: Pick<RenderPlan['composition'], 'entry'>
}

/** What a capture session is opened with. */
export interface SessionOptions {
  readonly driver: PageDriver
  readonly executable: BrowserExecutable
  readonly plan: PagePlan
  /** Absolute folder of the composition. */
  readonly projectDir: string
  readonly lane: LaneChoice
  /** False for a format that wants image files: a lane that gives only raw pixels is then not tried. */
  readonly raw?: boolean
  /** Hosts at private addresses, as `name` or `name:port`, that files may be fetched from. */
  readonly privateHosts?: readonly string[]
  readonly signal: AbortSignal
  warn(warning: Warning): void
  /** Longest silence of the page while it loads or shows one frame, in milliseconds. */
  readonly livenessMs?: number
  readonly readiness?: Partial<ReadinessLimits>
}

/** How a session leaves the raster lane: throws when it must not. */
type FallBack = (reason: string) => void

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

/** A session whose pages are captured as images. */
const imageSession = async (
  { openPlain, close }: SessionPages,
  kind: LaneKind,
  alpha: boolean,
): Promise<CaptureSession> => {
  let page = await openPlain()
  const { probe } = page
  return {
    probe: async () => probe,
    async *frames(range: Segment, accepts: readonly FrameFormat[]): AsyncGenerator<Frame> {
      if (page.shown() >= range.start) {
        await page.page.close()
        page = await openPlain()
      }
      yield* imageFrames(kind, page, range, chooseFormat(kind, accepts, alpha))
    },
    close,
  }
}

/** A session whose page is captured as an element, and by screenshots from where that does not go on. */
const rasterSession = async (
  { openRaster, openPlain, close }: SessionPages,
  fallBack: FallBack,
  alpha: boolean,
): Promise<CaptureSession> => {
  let raster: RasterPage | undefined = await openRaster()
  const { probe } = raster
  let plain: CompositionPage | undefined
  /** The page as screenshots show it, at a frame. */
  const reference = async (frame: number): Promise<CompositionPage> => {
    if (plain && plain.shown() > frame) {
      await plain.page.close()
      plain = undefined
    }
    plain ??= await openPlain()
    await plain.seek(frame)
    return plain
  }
  const rasterAt = async (frame: number, page: RasterPage): Promise<RasterPage> => {
    if (page.shown() < frame) return page
    await page.close()
    return openRaster()
  }

  return {
    probe: async () => probe,
    async *frames(range: Segment, accepts: readonly FrameFormat[]): AsyncGenerator<Frame> {
      if (!raster || !accepts.includes('rgba')) {
        const format = chooseFormat(screenshotKind, accepts, alpha)
        yield* imageFrames(screenshotKind, await reference(range.start), range, format)
        return
      }
      try {
        raster = await rasterAt(range.start, raster)
        const end = yield* rasterFrames({ raster, range, reference })
        await raster.reportErrors()
        if (!end) return
        fallBack(end.reason)
        raster = undefined
        const rest = { start: end.frame, frames: range.start + range.frames - end.frame }
        yield* rawFrames(imageFrames(screenshotKind, await reference(end.frame), rest, 'png'))
      } catch (error) {
        if (isUnfit(error)) fallBack(reasonOf(error))
        throw error
      }
    },
    close,
  }
}

/** Starts a browser on a composition in the fastest way that both can; the session owns all that it starts. */
export const openCaptureSession = async (options: SessionOptions): Promise<CaptureSession> => {
  const { plan, projectDir, executable, lane, raw = true, signal } = options
  const warn = once(options.warn)
  const { width, height, fps, variables, alpha } = plan
  const { html } = await compileEntry(projectDir, plan.composition.entry, { signal })
  const verdict = rasterVerdict({ projectDir, html, width, height, fps, variables, alpha })
  const known = lane === 'auto' && raw ? verdict.reason() : undefined
  if (known !== undefined) warn(captureWarnings.fallback(known))
  const fallBack: FallBack = (reason) => {
    if (lane !== 'auto') throw captureFailure('VID_LANE_UNFIT', { reason })
    verdict.refuse(reason)
    warn(captureWarnings.fallback(reason))
  }
  const open = async (kind: LaneKind): Promise<CaptureSession> => {
    const pages = await startPages({ ...options, warn, html, kind })
    try {
      return await (kind === rasterKind
        ? rasterSession(pages, fallBack, alpha)
        : imageSession(pages, kind, alpha))
    } catch (error) {
      await pages.close()
      throw error
    }
  }
  try {
    return await open(chooseLane(lane, executable, raw && known === undefined))
  } catch (error) {
    if (!isUnfit(error)) throw error
    fallBack(reasonOf(error))
    return open(chooseLane(lane, executable, false))
  }
}
