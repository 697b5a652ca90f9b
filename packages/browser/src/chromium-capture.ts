import { defineCapture, type OptionsInput, type PluginOf, Type, withDefault } from '@vid/kernel'
import type { PageDriver } from './cdp.ts'
import { findBrowser } from './find.ts'
import { pageBuild } from './page-build.ts'
import { openCaptureSession } from './session.ts'

const options = Type.Object({
  /** How pictures are taken; `auto` is the fastest that is right for the page. */
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
  executablePath: Type.Optional(Type.String()),
  /** Hosts at private addresses, as `name` or `name:port`, that pages may load files from. */
  privateHosts: withDefault(Type.Array(Type.String()), []),
})

/** Options of every capture plugin that drives a Chromium. */
export interface ChromiumCaptureOptions extends OptionsInput<typeof options> {}

/** A capture plugin that drives a Chromium, before it has its options. */
export type ChromiumCapture = (options?: ChromiumCaptureOptions) => PluginOf<'capture'>

const pathOf = ({ executablePath }: { executablePath?: string }) =>
  executablePath === undefined ? {} : { path: executablePath }

/** Defines the capture plugin `name`: a Chromium that `driver` drives. */
export const defineChromiumCapture = (name: string, driver: PageDriver): ChromiumCapture =>
  defineCapture({
    name,
    options,

    async build({ options, signal }) {
      const executable = await findBrowser({ ...pathOf(options), signal })
      return `${executable.kind} ${executable.version} ${options.lane}, page ${pageBuild()}`
    },

    async open(plan, { options, projectDir, signal, shared, warn }) {
      const executable = await findBrowser({ ...pathOf(options), signal })
      return openCaptureSession({
        ...options,
        driver,
        executable,
        plan,
        projectDir,
        signal,
        shared,
        warn,
      })
    },
  })
