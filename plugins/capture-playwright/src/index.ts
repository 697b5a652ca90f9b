import { defineChromiumCapture } from '@vid/browser'
import { playwrightDriver } from './playwright-driver.ts'

/** Captures frames with a Chromium that playwright drives. */
export default defineChromiumCapture('@vid/capture-playwright', playwrightDriver)
