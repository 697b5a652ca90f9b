import { chooseLane, findBrowser, openCaptureSession } from '@vid/browser'
import { defineCapture, Type, withDefault } from '@vid/kernel'
import { puppeteerDriver } from './puppeteer-driver.ts'

/** Captures frames with a Chromium that puppeteer drives. */
export default defineCapture({
  name: '@vid/capture-puppeteer',
  options: Type.Object({
    lane: withDefault(Type.Union([Type.Literal('auto'), Type.Literal('begin-frame'), Type.Literal('screenshot')]), 'auto'),
    executablePath: Type.Optional(Type.String()),
  }),
  async build({ options }) {
    const found = await findBrowser(options.executablePath === undefined ? {} : { path: options.executablePath })
    return `${found.kind} ${found.version}`
  },
  async open(plan, { options, projectDir, signal, warn }) {
    const executable = await findBrowser(options.executablePath === undefined ? {} : { path: options.executablePath })
    return openCaptureSession({ driver: puppeteerDriver, executable, plan, projectDir, lane: options.lane, signal, warn })
  },
})
