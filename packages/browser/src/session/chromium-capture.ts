import {
  defineCapture,
  machineLocal,
  type OptionsInput,
  type PluginContext,
  type PluginOf,
  type RenderPlan,
  type Static,
  Type,
  withDefault,
} from '@vid/kernel'
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

const hooksOf = (driverOf: (browser: BrowserEngine) => PageDriver | PortableDriver) => ({
  async build(context: Context) {
    const { kind, version } = await findFor(context)
    // One version draws otherwise on other systems, and those who share segments may have different ones.
    const system = `${process.platform} ${process.arch}`
    return `${kind} ${version} ${system} ${context.options.lane}, page ${pageBuild()}`
  },

  async open(plan: RenderPlan, context: Context) {
    const { options, projectDir, sources, signal, shared, warn, log } = context
    return openCaptureSession({
      ...options,
      sandboxMode: sandboxMode(options.sandbox),
      driver: driverOf(options.browser ?? 'chromium'),
      executable: await findFor(context),
      plan,
      projectDir,
      sources,
      signal,
      shared,
      warn,
      log,
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
