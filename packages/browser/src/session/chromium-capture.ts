import {
  defineCapture,
  isVidError,
  machineLocal,
  type OptionsInput,
  type PluginContext,
  type PluginOf,
  type RenderPlan,
  type RenderRequest,
  type Static,
  Type,
  withDefault,
} from '@vid/kernel'
import { captureFailure } from '../capture-errors.ts'
import { canUseGpu, findGpu, forgetGpu, type GpuFound } from '../gpu/find-gpu.ts'
import { gpuBackends, reasonAgainstGpu } from '../gpu/gpu-backend.ts'
import { findBrowser } from '../launch/find.ts'
import type { BrowserEngine } from '../launch/installed.ts'
import { sandboxMode } from '../launch/sandbox.ts'
import type { PageDriver } from '../page/cdp.ts'
import type { PortableDriver } from '../portable/portable-driver.ts'
import { pageBuild } from './page-build.ts'
import { openCaptureSession } from './session.ts'

const shared = {
  /** How frames are captured; `auto` is the fastest lane that is correct for the page. */
  lane: withDefault(
    Type.Union([
      Type.Literal('auto'),
      Type.Literal('raster'),
      Type.Literal('begin-frame'),
      Type.Literal('screenshot'),
    ]),
    'auto',
  ),
  /** A Chrome, Chromium or headless shell to use instead of the embedded one. */
  executablePath: Type.Optional(machineLocal(Type.String())),
  /** Hosts at private addresses, as `name` or `name:port`, that pages may load files from. */
  privateHosts: withDefault(machineLocal(Type.Array(Type.String())), []),
  /** The way to the GPU of this machine, in place of the best one; `swiftshader` is the processor in its place, for trials. */
  gpuBackend: Type.Optional(machineLocal(Type.Union(gpuBackends.map((backend) => Type.Literal(backend))))),
  /** Whether pages must run in the browser's sandbox; `auto` warns where it cannot start. */
  sandbox: withDefault(
    machineLocal(Type.Union([Type.Literal('auto'), Type.Literal('require'), Type.Literal('off')])),
    'auto',
  ),
}

const options = Type.Object(shared)

const choices = Type.Object({
  /** Whose engine draws the pages; Firefox is captured by screenshots, and not with alpha. */
  browser: withDefault(Type.Union([Type.Literal('chromium'), Type.Literal('firefox')]), 'chromium'),
  ...shared,
})

/** Options of every capture plugin that drives a Chromium. */
export interface ChromiumCaptureOptions extends OptionsInput<typeof options> {}

/** Options of a capture plugin whose browser can be chosen. */
export interface BrowserCaptureOptions extends OptionsInput<typeof choices> {}

/** A capture plugin that drives a Chromium, before it has its options. */
export type ChromiumCapture = (options?: ChromiumCaptureOptions) => PluginOf<'capture'>

/** A capture plugin whose browser can be chosen, before it has its options. */
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

const hooksOf = (driverOf: DriverOf) => ({
  async settings({ browserGpu }: Pick<RenderRequest, 'browserGpu'>, context: Context) {
    const { browser = 'chromium', gpuBackend } = context.options
    const isRequired = browserGpu === true
    if (browserGpu === false) return {}
    const against = canUseGpu(driverOf(browser)) ? undefined : `${browser} is not drawn on one`
    const reason = against ?? (gpuBackend === undefined ? reasonAgainstGpu() : undefined)
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
    context.note?.(`no GPU: ${tried.map((each) => `${each.backend}: ${each.reason}`).join('; ')}`)
    return {}
  },

  async build(context: Context, settings: RenderPlan['capture']['settings'] = {}) {
    const { kind, version } = await findFor(context)
    // One version draws otherwise on other systems, and those who share segments may have different ones.
    const system = `${process.platform} ${process.arch}`
    const build = `${kind} ${version} ${system} ${context.options.lane}, page ${pageBuild()}`
    if (settings.gpu !== true) return build
    const { gpu } = await gpuFor(driverOf, context)
    return `${build}, ${gpu ? `GPU ${gpu.name}` : 'no GPU'}`
  },

  async open(plan: RenderPlan, context: Context) {
    const { options, projectDir, sources, signal, shared, warn, log } = context
    const found = plan.capture.settings.gpu === true ? await gpuFor(driverOf, context) : undefined
    if (found?.tried) throw captureFailure('VID_BROWSER_GPU_UNAVAILABLE', { tried: found.tried })
    const driver = driverOf(options.browser ?? 'chromium')
    const opening = openCaptureSession({
      ...options,
      ...(found && { gpu: found.gpu }),
      sandboxMode: sandboxMode(options.sandbox),
      driver,
      executable: await findFor(context),
      plan,
      projectDir,
      sources,
      signal,
      shared,
      warn,
      log,
    })
    return opening.catch((thrown: unknown) => {
      if (isVidError(thrown) && thrown.code === 'VID_BROWSER_GPU_LOST') forgetGpu(driver)
      throw thrown
    })
  },
})

/** Defines the capture plugin `name`: a Chromium that `driver` drives. */
export const defineChromiumCapture = (name: string, driver: PageDriver | PortableDriver): ChromiumCapture =>
  defineCapture({ name, options, ...hooksOf(() => driver) })

/** Defines the capture plugin `name`, which drives the browser that its options name. */
export const defineBrowserCapture = (
  name: string,
  drivers: { readonly chromium: PageDriver; readonly firefox: PortableDriver },
): BrowserCapture => defineCapture({ name, options: choices, ...hooksOf((browser) => drivers[browser]) })
