import { setMaxListeners } from 'node:events'
import { compileEntry } from '@vid/core'
import type { CaptureSession, Frame, FrameFormat, Probe, RenderPlan, Segment, Warning } from '@vid/kernel'
import { startAssetServer } from './asset-server.ts'
import { openBrowser } from './browser.ts'
import { openCacheDir } from './cache-dir.ts'
import { captureFailure } from './capture-errors.ts'
import type { PageDriver } from './cdp.ts'
import { type CompositionPage, openComposition } from './composition-page.ts'
import type { BrowserExecutable } from './find.ts'
import { chooseFormat, type Lane, type LaneKind } from './lane.ts'
import { beginFrameKind, openBeginFrameLane } from './lane-begin-frame.ts'
import { openScreenshotLane, screenshotKind } from './lane-screenshot.ts'
import { createMediaSupply } from './media-supply.ts'
import { prefetch } from './prefetch.ts'
import { type ReadinessLimits, readinessLimits } from './readiness.ts'
import { openRemoteAssets } from './remote-assets.ts'
import { sampleVolumes } from './volume-curves.ts'

/** Which way to capture; `auto` takes the fastest that the browser can. */
export type LaneChoice = 'auto' | LaneKind['name']

/** What decides the pixels of a page. */
export type PagePlan = Pick<RenderPlan, 'width' | 'height' | 'fps' | 'variables' | 'alpha'> & {
  readonly composition: Pick<RenderPlan['composition'], 'entry'>
  /** Number of frames, where it is known before the probe; 1 where it is not. */
  readonly frames?: number
}

/** What a capture session is opened with. */
export interface SessionOptions {
  readonly driver: PageDriver
  readonly executable: BrowserExecutable
  readonly plan: PagePlan
  /** Absolute folder of the composition. */
  readonly projectDir: string
  readonly lane: LaneChoice
  /** Hosts at private addresses, as `name` or `name:port`, that files may be fetched from. */
  readonly privateHosts?: readonly string[]
  readonly signal: AbortSignal
  warn(warning: Warning): void
  /** Longest silence of the page while it loads or shows one frame, in milliseconds. */
  readonly livenessMs?: number
  readonly readiness?: Partial<ReadinessLimits>
}

const LIVENESS_MS = 30_000

/** Frames taken ahead of the reader. */
const AHEAD = 2

/** The lane that a browser is captured with. */
export const chooseLane = (lane: LaneChoice, browser: BrowserExecutable): LaneKind => {
  const controllable = browser.kind === 'headless-shell' && process.platform !== 'darwin'
  if (lane === 'screenshot' || (lane === 'auto' && !controllable)) return screenshotKind
  if (controllable) return beginFrameKind
  throw captureFailure('VID_LANE_UNAVAILABLE', { lane, browser: `${browser.kind} ${browser.version}` })
}

const openLane = (kind: LaneKind, { page, ticks }: CompositionPage, format: FrameFormat): Lane =>
  kind.frameControl ? openBeginFrameLane(page, ticks, format) : openScreenshotLane(page, format)

/** Starts a browser on a composition; the session owns the browser, its profile and the asset server. */
export const openCaptureSession = async (options: SessionOptions): Promise<CaptureSession> => {
  const { plan, projectDir, executable, signal, warn, livenessMs = LIVENESS_MS } = options
  const { width, height, fps, variables, alpha } = plan
  const { entry } = plan.composition
  const kind = chooseLane(options.lane, executable)
  // Every worker's session listens to the signal of the one render.
  setMaxListeners(0, signal)
  const { html } = await compileEntry(projectDir, entry, { signal })

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
  const media = createMediaSupply({ projectDir, signal, warn })
  owned.push(media)
  const texts = new Map([[entry, html]])
  const starting = [
    own(startAssetServer({ root: projectDir, texts, media: media.file, signal })),
    own(openBrowser({ ...options, frameControl: kind.frameControl, width, height })),
  ] as const
  const openFresh = async (): Promise<CompositionPage> => {
    const [server, browser] = await Promise.all(starting)
    return openComposition(await browser.newPage(), {
      config: { width, height, fps, variables, alpha },
      origin: server.origin,
      entry,
      remote,
      html,
      kind,
      signal: browser.failure,
      livenessMs,
      limits: { ...readinessLimits, ...options.readiness },
      warn,
      media,
    })
  }

  let composition: CompositionPage
  try {
    composition = await openFresh()
  } catch (error) {
    await Promise.allSettled(starting)
    await close()
    throw error
  }
  signal.addEventListener('abort', close, { once: true })
  const { probe, volumesMove } = composition
  const probeVolumes = async (): Promise<Probe> => {
    const { frames = 1 } = plan
    const length = frames > 1 ? frames : Math.ceil((probe.duration ?? 0) * fps)
    // Without a length there is nothing to render either.
    if (!volumesMove || !Number.isFinite(length)) return probe
    return {
      ...probe,
      media: await sampleVolumes({ media: probe.media ?? [], fps, frames: length, open: openFresh }),
    }
  }
  let probing: Promise<Probe> | undefined

  return {
    probe() {
      probing ??= probeVolumes()
      return probing
    },
    async *frames(range: Segment, accepts: readonly FrameFormat[], full?: RenderPlan): AsyncGenerator<Frame> {
      if (composition.shown() >= range.start) {
        await composition.page.close()
        composition = await openFresh()
      }
      const current = composition
      const { page } = current
      if (full) await current.prepare(full, range.start, range.start + range.frames)
      const format = chooseFormat(kind, accepts, alpha)
      const lane = openLane(kind, current, format)
      try {
        yield* prefetch(range.frames, AHEAD, async (index) => {
          const frame = range.start + index
          await current.seek(frame).catch((thrown: unknown) => {
            // The page knows only that an image did not come.
            throw media.failure() ?? thrown
          })
          return page.alive(lane.capture(frame), `drawing frame ${frame}`, 'VID_FRAME_NOT_DRAWN')
        })
        await current.reportErrors()
      } finally {
        await lane.close()
      }
    },
    close,
  }
}
