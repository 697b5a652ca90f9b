import { defineCapture, type OptionsInput, type PluginContext, type PluginOf, withDefault } from '@vid/kernel'
import {
  isVidError,
  machineLocal,
  type RenderPlan,
  type RenderRequest,
  type Static,
  Type,
  usesCaptions,
} from '@vid/protocol'
import { captureFailure } from './capture-errors.ts'
import type { PageDriver } from './driver/cdp.ts'
import type { PortableDriver } from './driver/portable-driver.ts'
import { canUseGpu, findGpu, forgetGpu, type GpuFound } from './gpu/find-gpu.ts'
import type { ImageLane } from './lanes/lane-choice.ts'
import { findBrowser } from './launch/find.ts'
import { gpuBackends, reasonAgainstGpu } from './launch/gpu-backend.ts'
import type { BrowserEngine } from './launch/installed.ts'
import { type RasterLevel, readRasterLevel } from './launch/raster-level.ts'
import { sandboxMode } from './launch/sandbox.ts'
import { startEarly } from './session/early-browser.ts'
import { pageBuild } from './session/page-build.ts'
import { openCaptureSession } from './session/session.ts'

const shared = {
  /** How frames are captured; `auto` is the fastest lane that is correct for the page. */
  lane: withDefault(
    Type.Union([Type.Literal('auto'), Type.Literal('raster'), Type.Literal('begin-frame'), Type.Literal('screenshot')]),
    'auto',
  ),
  /** A Chrome, Chromium or headless shell to use instead of the embedded one. */
  executablePath: Type.Optional(machineLocal(Type.String())),
  /** Hosts at private addresses, as `name` or `name:port`, that pages may load files from. */
  privateHosts: withDefault(machineLocal(Type.Array(Type.String())), []),
  /**
   * The graphics API of this machine's GPU, instead of the best one; `swiftshader` draws on the processor, for tests.
   */
  gpuBackend: Type.Optional(machineLocal(Type.Union(gpuBackends.map((backend) => Type.Literal(backend))))),
  /** Whether pages must run in the browser's sandbox; `auto` warns if it cannot start. */
  sandbox: withDefault(
    machineLocal(Type.Union([Type.Literal('auto'), Type.Literal('require'), Type.Literal('off')])),
    'auto',
  ),
}

const options = Type.Object(shared)

const choices = Type.Object({
  /** The browser engine; Firefox is captured by screenshots, without alpha. */
  browser: withDefault(Type.Union([Type.Literal('chromium'), Type.Literal('firefox')]), 'chromium'),
  ...shared,
})

/** Options of every capture plugin that drives a Chromium. */
export interface ChromiumCaptureOptions extends OptionsInput<typeof options> {}

/** Options of a capture plugin with a choice of browsers. */
export interface BrowserCaptureOptions extends OptionsInput<typeof choices> {}

/** The factory of a capture plugin that drives a Chromium. */
export type ChromiumCapture = (options?: ChromiumCaptureOptions) => PluginOf<'capture'>

/** The factory of a capture plugin with a choice of browsers. */
export type BrowserCapture = (options?: BrowserCaptureOptions) => PluginOf<'capture'>

type Context = PluginContext<Static<typeof options> & { readonly browser?: BrowserEngine }>

const findFor = ({ options: { executablePath, browser }, signal }: Context) =>
  findBrowser({
    ...(executablePath !== undefined && { path: executablePath }),
    ...(browser !== undefined && { engine: browser }),
    signal,
  })

type DriverOf = (browser: BrowserEngine) => PageDriver | PortableDriver

/** The GPU that an engine with these options draws on. */
const gpuFor = async (driverOf: DriverOf, context: Context): Promise<GpuFound> => {
  const { options, signal } = context
  const { browser = 'chromium', gpuBackend, sandbox } = options
  const driver = driverOf(browser)
  if (!canUseGpu(driver)) throw captureFailure('VID_BROWSER_LACKS', { browser, part: 'pages on a GPU' })
  const executable = await findFor(context)
  return findGpu({ driver, executable, sandboxMode: sandboxMode(sandbox), signal }, gpuBackend)
}

/** The reason why no GPU is searched for unless a caller requires one; undefined if one is. */
const withoutGpu = (driverOf: DriverOf, { options }: Context): string | undefined => {
  const { browser = 'chromium', gpuBackend } = options
  if (!canUseGpu(driverOf(browser))) return `${browser} is not drawn on one`
  return gpuBackend === undefined ? reasonAgainstGpu() : undefined
}

type Settings = RenderPlan['capture']['settings']

/** The GPU part of a plan: that one draws, or nothing. */
const gpuSettings = async (
  driverOf: DriverOf,
  { browserGpu }: Pick<RenderRequest, 'browserGpu'>,
  context: Context,
): Promise<Settings> => {
  const isRequired = browserGpu === true
  if (browserGpu === false) return {}
  const reason = withoutGpu(driverOf, context)
  if (reason !== undefined && !isRequired) {
    context.note?.(`no GPU: ${reason}`)
    return {}
  }
  const { gpu, psnr, tried } = await gpuFor(driverOf, context)
  if (gpu) {
    context.note?.(`a known page is drawn on the GPU as by the processor: ${psnr.toFixed(1)} dB PSNR`)
    return { gpu: true }
  }
  if (isRequired) throw captureFailure('VID_BROWSER_GPU_UNAVAILABLE', { tried })
  context.note?.(`no GPU: ${tried.map((attempt) => `${attempt.backend}: ${attempt.reason}`).join('; ')}`)
  return {}
}

interface RasterSettings {
  readonly raster?: 'native'
}

/** The processor part of a plan: that its own instruction sets draw, or nothing. */
const rasterSettings = (
  readLevel: () => RasterLevel,
  { raster }: Pick<RenderRequest, 'raster'>,
  { options, note }: Pick<Context, 'options' | 'note'>,
): RasterSettings => {
  const { browser = 'chromium' } = options
  const isRequired = raster === 'native'
  if (raster === 'portable') return {}
  if (browser === 'firefox') {
    if (isRequired) throw captureFailure('VID_BROWSER_LACKS', { browser, part: 'pages with raster "native"' })
    return {}
  }
  const { reason } = readLevel()
  if (reason === undefined) return { raster: 'native' }
  if (isRequired) throw captureFailure('VID_BROWSER_RASTER_UNAVAILABLE', { reason })
  note?.(`raster portable: ${reason}`)
  return {}
}

/** The lane of images in the settings of a plan, if its page needed one. */
const imageLaneOf = ({ imageLane }: Settings): ImageLane | undefined =>
  imageLane === 'begin-frame' || imageLane === 'screenshot' ? imageLane : undefined

const hooksOf = (driverOf: DriverOf, readLevel: () => RasterLevel) => ({
  async settings(request: Pick<RenderRequest, 'browserGpu' | 'raster' | 'captions'>, context: Context) {
    const raster = rasterSettings(readLevel, request, context)
    const captions = usesCaptions(request, 'burn') ? {} : { captions: 'hidden' }
    return { ...raster, ...captions, ...(await gpuSettings(driverOf, request, context)) }
  },

  async build(context: Context, settings: Settings = {}) {
    const { kind, version } = await findFor(context)
    // The same version draws differently on other systems, and machines that share segments may have different systems.
    const system = `${process.platform} ${process.arch}`
    const parts = [`${kind} ${version} ${system} ${context.options.lane}`, `page ${pageBuild()}`]
    if (settings.raster === 'native') parts.push(`raster ${readLevel().level ?? 'unknown'}`)
    if (settings.gpu === true) {
      const { gpu } = await gpuFor(driverOf, context)
      parts.push(gpu ? `GPU ${gpu.name}` : 'no GPU')
    }
    return parts.join(', ')
  },

  async prepare(request: RenderRequest, context: Context) {
    const { options, projectDir, signal, shared, reading } = context
    const { scale, resolution, browserGpu } = request
    const isDrawnHere = browserGpu === false || (browserGpu !== true && withoutGpu(driverOf, context) !== undefined)
    if (!shared || scale !== undefined || resolution !== undefined || !isDrawnHere) return
    const early = {
      projectDir,
      signal,
      shared,
      reading,
      lane: options.lane,
      driver: driverOf(options.browser ?? 'chromium'),
      executable: await findFor(context),
      sandboxMode: sandboxMode(options.sandbox),
      ...rasterSettings(readLevel, request, { options }),
    }
    await startEarly(early, request)
  },

  async open(plan: RenderPlan, context: Context) {
    const { options, projectDir, sources, signal, shared, reading, picturesOnly, warn, note, log } = context
    const gpu = plan.capture.settings.gpu === true ? await gpuFor(driverOf, context) : undefined
    if (gpu?.tried) throw captureFailure('VID_BROWSER_GPU_UNAVAILABLE', { tried: gpu.tried })
    const isNative = plan.capture.settings.raster === 'native'
    const { reason } = isNative ? readLevel() : {}
    if (reason !== undefined) throw captureFailure('VID_BROWSER_RASTER_UNAVAILABLE', { reason })
    const driver = driverOf(options.browser ?? 'chromium')
    const opening = openCaptureSession({
      ...options,
      ...(gpu && { gpu: gpu.gpu }),
      ...(isNative && { raster: 'native' }),
      hidesCaptions: plan.capture.settings.captions === 'hidden',
      imageLane: imageLaneOf(plan.capture.settings),
      sandboxMode: sandboxMode(options.sandbox),
      driver,
      executable: await findFor(context),
      plan,
      projectDir,
      sources,
      signal,
      shared,
      reading,
      picturesOnly,
      warn,
      note,
      log,
    })
    return opening.catch((thrown: unknown) => {
      if (isVidError(thrown) && thrown.code === 'VID_BROWSER_GPU_LOST') forgetGpu(driver)
      throw thrown
    })
  },
})

/**
 * Defines the capture plugin `name`: a Chromium that `driver` drives. `readLevel` returns what determines native
 * pictures on this machine.
 */
export const defineChromiumCapture = (
  name: string,
  driver: PageDriver | PortableDriver,
  readLevel: () => RasterLevel = readRasterLevel,
): ChromiumCapture => defineCapture({ name, options, ...hooksOf(() => driver, readLevel) })

/** Defines the capture plugin `name`, which drives the browser that its options name. */
export const defineBrowserCapture = (
  name: string,
  drivers: { readonly chromium: PageDriver; readonly firefox: PortableDriver },
): BrowserCapture =>
  defineCapture({ name, options: choices, ...hooksOf((browser) => drivers[browser], readRasterLevel) })
