import { setMaxListeners } from 'node:events'
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
import { startAssetServer } from './asset-server.ts'
import { openBrowser } from './browser.ts'
import { openCacheDir } from './cache-dir.ts'
import { captureFailure, captureWarnings } from './capture-errors.ts'
import type { PageDriver } from './cdp.ts'
import { type CompositionPage, openComposition } from './composition-page.ts'
import type { BrowserExecutable } from './find.ts'
import { chooseFormat, type LaneKind } from './lane.ts'
import { chooseLane, type LaneChoice, rasterVerdict } from './lane-choice.ts'
import { imageFrames, rawFrames } from './lane-image.ts'
import { rasterFrames, rasterKind } from './lane-raster.ts'
import { screenshotKind } from './lane-screenshot.ts'
import { openRasterPage, type RasterPage, rasterConfig } from './raster-page.ts'
import { type ReadinessLimits, readinessLimits } from './readiness.ts'
import { openRemoteAssets } from './remote-assets.ts'

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

const isUnfit = (error: unknown): error is VidError => isVidError(error) && error.code === 'VID_LANE_UNFIT'

const LIVENESS_MS = 30_000

/** Starts a browser on a composition in the fastest way that both can; the session owns all that it starts. */
export const openCaptureSession = async (options: SessionOptions): Promise<CaptureSession> => {
  const { plan, projectDir, executable, lane, raw = true, signal, warn } = options
  // Every worker's session listens to the signal of the one render.
  setMaxListeners(0, signal)
  const { html } = await compileEntry(projectDir, plan.composition.entry, { signal })
  const { width, height, fps, variables, alpha } = plan
  const verdict = rasterVerdict({ projectDir, html, width, height, fps, variables, alpha })
  const known = lane === 'auto' ? verdict.reason() : undefined
  const kind = chooseLane(lane, executable, raw && known === undefined)
  const fallBack = (reason: string): void => {
    if (lane !== 'auto') throw captureFailure('VID_LANE_UNFIT', { reason })
    verdict.refuse(reason)
    warn(captureWarnings.fallback(reason))
  }
  if (known !== undefined && raw) warn(captureWarnings.fallback(known))
  try {
    return await openSession({ ...options, html, kind, fallBack })
  } catch (error) {
    if (!isUnfit(error) || lane !== 'auto') throw error
    fallBack(String(error.facts.reason))
    return openSession({ ...options, html, kind: chooseLane(lane, executable, false), fallBack })
  }
}

/** A session on one lane; it owns the browser, its profile and the asset server. */
const openSession = async (
  options: SessionOptions & {
    readonly html: string
    readonly kind: LaneKind
    /** Hears why frames are captured in another way from now on; throws when the lane is not to be left. */
    fallBack(reason: string): void
  },
): Promise<CaptureSession> => {
  const { plan, projectDir, html, kind, fallBack, signal, warn, livenessMs = LIVENESS_MS } = options
  const { width, height, fps, variables, alpha } = plan
  const { entry } = plan.composition

  const isRaster = kind === rasterKind
  const owned: { close(): Promise<void> }[] = []
  const own = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const opened = await opening
    owned.push(opened)
    return opened
  }
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    signal.removeEventListener('abort', close)
    closing ??= Promise.all(owned.map((each) => each.close())).then(() => undefined)
    return closing
  }

  const remote = openRemoteAssets({
    cacheDir: await openCacheDir(process.env),
    privateHosts: options.privateHosts ?? [],
    signal,
  })
  const starting = [
    own(startAssetServer({ root: projectDir, texts: new Map([[entry, html]]), signal })),
    own(openBrowser({ ...options, frameControl: kind.frameControl, elementRaster: isRaster, width, height })),
  ] as const
  const openPlain = async (raster?: ReturnType<typeof rasterConfig>): Promise<CompositionPage> => {
    const [server, browser] = await Promise.all(starting)
    return openComposition(await browser.newPage(), {
      config: { width, height, fps, variables, alpha, ...(raster && { raster }) },
      origin: server.origin,
      entry,
      remote,
      html,
      kind,
      signal: browser.failure,
      livenessMs,
      limits: { ...readinessLimits, ...options.readiness },
      warn,
    })
  }

  const openRaster = async (): Promise<RasterPage> => {
    const [, { profile }] = await Promise.all(starting)
    return own(openRasterPage(await openPlain(rasterConfig()), profile))
  }

  let raster: RasterPage | undefined
  let plain: CompositionPage | undefined
  try {
    if (isRaster) raster = await openRaster()
    else plain = await openPlain()
  } catch (error) {
    await Promise.allSettled(starting)
    await close()
    throw error
  }
  signal.addEventListener('abort', close, { once: true })
  const probe = (raster ?? plain)?.probe ?? { duration: null, stateful: true }

  /** The page without a canvas around it, showing a frame. */
  const reference = async (frame: number): Promise<CompositionPage> => {
    if (plain && plain.shown() > frame) {
      await plain.page.close()
      plain = undefined
    }
    plain ??= await openPlain()
    await plain.seek(frame)
    return plain
  }

  return {
    probe: async () => probe,
    async *frames(range: Segment, accepts: readonly FrameFormat[]): AsyncGenerator<Frame> {
      if (raster && accepts.includes('rgba')) {
        if (raster.shown() >= range.start) {
          await raster.close()
          raster = await openRaster()
        }
        const end = yield* rasterFrames({ raster, range, reference })
        await raster.reportErrors()
        if (!end) return
        fallBack(end.reason)
        raster = undefined
        const rest = { start: end.frame, frames: range.start + range.frames - end.frame }
        yield* rawFrames(imageFrames(screenshotKind, await reference(end.frame), rest, 'png'))
        return
      }
      const imageKind = isRaster ? screenshotKind : kind
      const format = chooseFormat(imageKind, accepts, alpha)
      if (plain && plain.shown() >= range.start) {
        await plain.page.close()
        plain = undefined
      }
      plain ??= await openPlain()
      yield* imageFrames(imageKind, plain, range, format)
    },
    close,
  }
}
