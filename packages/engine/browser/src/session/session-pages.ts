import { setMaxListeners } from 'node:events'
import {
  createInputLog,
  createRemoteAccess,
  type InputLog,
  openAssetSite,
  openCacheDir,
  openRemoteAssets,
} from '@vid/assets'
import { COMPOSITION_SOURCE, createPool } from '@vid/kernel'
import { ratioOf, type VidError } from '@vid/protocol'
import type { RasterConfig } from '@vid/runtime'
import { digestOf } from '@vid/system'
import { captureWarning } from '../capture-warnings.ts'
import { reductionOf } from '../driver/device-scale.ts'
import type { LaneKind } from '../driver/lane.ts'
import { isPortable } from '../driver/portable-driver.ts'
import { rasterKind } from '../lanes/lane-raster.ts'
import { openRasterPage, type RasterPage, rasterConfig } from '../lanes/raster/raster-page.ts'
import { leaseBrowser } from '../launch/browser-lease.ts'
import { guardGpu } from '../launch/gpu-guard.ts'
import { createMediaSupply } from '../media/media-supply.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import { isDrawing } from '../page/drawing-time.ts'
import { readinessLimits } from '../page/readiness.ts'
import { openComposition } from './open-composition.ts'
import type { SessionOptions } from './session-options.ts'

/** The pages of one capture session, all of one composition in one browser. */
export interface SessionPages {
  /** Opens the composition as a new page. */
  openPlain(): Promise<CompositionPage>
  /** Opens the composition so that it can be captured as an element. */
  openRaster(): Promise<RasterPage>
  readonly warn: SessionOptions['warn']
  /** Every file that the pages have read so far. */
  inputs: InputLog['all']
  /** Warns of unreadable media frames so far. */
  report(): Promise<void>
  /** Marks the start of work; the returned function marks its end. A browser with unfinished work is not reused. */
  begin(): () => void
  /**
   * The reason why the drawn pictures are unreliable: the GPU was lost; undefined if it was not, or if there is none.
   * Rejects if the browser does not answer.
   */
  gpuLoss(): Promise<VidError | undefined>
  close(): Promise<void>
}

/** What a plan says of a page, with its rate and scale as numbers for its script. */
const viewOf = ({ plan, hidesCaptions }: Pick<SessionOptions, 'plan' | 'hidesCaptions'>) => {
  const { width, height, fps, scale, variables, alpha } = plan
  const rate = ratioOf(fps)
  const factor = ratioOf(scale ?? 1)
  return {
    width,
    height,
    variables,
    alpha,
    ...(hidesCaptions && { hidesCaptions }),
    fps: rate.num,
    ...(rate.den > 1 && { fpsDivisor: rate.den }),
    ...(scale !== undefined && { scale: factor.num / factor.den }),
  }
}

const LIVENESS_MS = 30_000

/** Refused addresses reported for one session; a page that tries on every frame must not flood the report. */
const MAX_REFUSALS = 20

/** Creates a listener that warns of each refused address, up to a limit. */
const reportRefusals = (warn: SessionOptions['warn']) => {
  let refusals = 0
  return (address: string) => {
    refusals += 1
    if (refusals <= MAX_REFUSALS) warn(captureWarning('VID_NETWORK_REFUSED', { address: address.replace(/\?.*/s, '') }))
  }
}

/** Opens the remote files of a session. */
const openRemote = async ({ plan, projectDir, privateHosts = [], signal, reading, warn }: SessionOptions) =>
  openRemoteAssets({
    cacheDir: await openCacheDir(process.env),
    privateHosts,
    access: createRemoteAccess({ ...plan, projectDir, signal, reading }),
    signal,
    warn,
  })

/** Opens the project as a site and leases the browser of a session; both are closed when the render is stopped. */
export const startPages = async (
  options: SessionOptions & { readonly html: string; readonly kind: LaneKind },
): Promise<SessionPages> => {
  const { plan, projectDir, sources, html, kind, signal, warn, note, log, livenessMs = LIVENESS_MS } = options
  const { gpu, ...launch } = options
  const { width, height, composition } = plan
  const { entry } = composition
  const view = viewOf(options)
  const reduction = kind === rasterKind || isPortable(options.driver) ? 1 : reductionOf(view.scale ?? 1)
  const drawn = view.scale !== undefined && { scale: view.scale * reduction }
  // The sessions of all workers listen to the render's signal.
  setMaxListeners(0, signal)

  // Without a shared pool, the browser is closed with this session.
  const pool = options.shared ?? createPool()
  let unfinished = 0
  const owned: { close(): Promise<void> }[] = []
  const closeWithSession = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const opened = await opening
    owned.push(opened)
    return opened
  }
  let closing: Promise<void> | undefined
  // The caller that opened the session also closes it, and gets the error then.
  const onAbort = () => void close().catch(() => {})
  const close = (): Promise<void> => {
    signal.removeEventListener('abort', onAbort)
    closing ??= Promise.allSettled([admitted]).then(async () => {
      const [, browser] = await Promise.allSettled(starting)
      if (unfinished > 0 && browser.status === 'fulfilled') browser.value.retire()
      await Promise.all(owned.map((page) => page.close()))
      if (pool !== options.shared) await pool.close()
    })
    return closing
  }

  const remote = await openRemote(options)
  const inputs = createInputLog()
  inputs.read(COMPOSITION_SOURCE, digestOf(html))
  // If this machine could not read a file, the pages would be drawn wrong.
  const faults = new AbortController()
  const media = createMediaSupply({ sources, signal, inputs, warn })
  owned.push(media)
  const texts = new Map([[entry, html]])
  const starting = [
    openAssetSite({
      root: projectDir,
      texts,
      media: media.file,
      inputs,
      onMachineFault: (error) => faults.abort(error),
    }),
    closeWithSession(
      leaseBrowser(pool, {
        ...launch,
        ...(gpu && { gpu: gpu.backend }),
        frameControl: kind.frameControl,
        width,
        height,
        ...drawn,
      }),
    ),
  ] as const
  const admitted = Promise.all(starting).then(async ([site, browser]) => {
    const retract = browser.egress.admit({ ...site, refused: reportRefusals(warn) })
    owned.push({ close: async () => retract() })
    const guard = gpu && (await guardGpu(browser, gpu, (error) => faults.abort(error)))
    if (guard) owned.push(guard)
    return { site, browser, guard }
  })
  // The caller that opens a page gets the reason of its failure.
  admitted.catch(() => undefined)
  signal.addEventListener('abort', onAbort, { once: true })

  const open = async (raster?: RasterConfig): Promise<CompositionPage> => {
    const { site, browser } = await admitted
    if (browser.sandboxMissing !== undefined)
      warn(captureWarning('VID_SANDBOX_OFF', { reason: browser.sandboxMissing }))
    return openComposition(await browser.newPage(), {
      config: { ...view, ...drawn, ...(raster && { raster }) },
      reduction,
      origin: site.origin,
      proxy: browser.egress.address,
      shortage: browser.shortage,
      projectDir,
      entry,
      remote,
      inputs,
      html,
      kind,
      signal: AbortSignal.any([browser.failure, faults.signal]),
      livenessMs,
      isSending: () => site.answering() + remote.fetching() > 0,
      isDrawing: () => isDrawing(browser.pid, browser.failure),
      gpu: gpu?.name,
      limits: { ...readinessLimits, ...options.readiness },
      warn,
      note,
      log,
      media,
    })
  }
  return {
    async openPlain() {
      const composition = await open()
      await composition.reportErrors()
      return composition
    },
    async openRaster() {
      const pixels = rasterConfig({ onGpu: !!gpu, native: options.raster === 'native' })
      const [composition, { profile }] = await Promise.all([open(pixels), starting[1]])
      return closeWithSession(openRasterPage(composition, profile, gpu?.name))
    },
    warn,
    inputs: inputs.all,
    report: media.report,
    gpuLoss: async () => (gpu ? (await admitted).guard?.loss() : undefined),
    begin() {
      unfinished += 1
      return () => {
        unfinished -= 1
      }
    },
    close,
  }
}
