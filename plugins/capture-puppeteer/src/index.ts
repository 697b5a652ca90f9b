import { findBrowser, openCaptureSession } from '@vid/browser'
import { defineCapture, Type, withDefault } from '@vid/kernel'
import { puppeteerDriver } from './puppeteer-driver.ts'

/** Captures frames with a Chromium that puppeteer drives. */
export default defineCapture({
  name: '@vid/capture-puppeteer',
  options: Type.Object({
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
  }),

  async build({ options, signal }) {
    const executable = await findBrowser({ ...pathOf(options), signal })
    return `${executable.kind} ${executable.version} ${options.lane}`
  },

  async open(plan, { options, projectDir, signal, warn }) {
    const executable = await findBrowser({ ...pathOf(options), signal })
    return openCaptureSession({
      ...options,
      driver: puppeteerDriver,
      executable,
      plan,
      projectDir,
      raw: !/png|jpe?g/.test(plan.format),
      signal,
      warn,
    })
  },
})

const pathOf = ({ executablePath }: { executablePath?: string }) =>
  executablePath === undefined ? {} : { path: executablePath }
