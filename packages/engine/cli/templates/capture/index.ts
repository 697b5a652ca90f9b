import { findBrowser, openCaptureSession } from '@vid/browser'
import { defineCapture } from '@vid/kernel'
import { driver } from './driver.ts'

/** Captures frames with a Chromium that a driver of its own launches. */
export default defineCapture({
  name: '@vid/capture-template',
  async build({ signal }) {
    const { kind, version } = await findBrowser({ signal })
    return `${kind} ${version}`
  },
  async open(plan, { projectDir, sources, signal, warn }) {
    const executable = await findBrowser({ signal })
    return openCaptureSession({ driver, executable, lane: 'auto', plan, projectDir, sources, signal, warn })
  },
})
