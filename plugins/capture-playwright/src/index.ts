import { defineBrowserCapture } from '@vid/browser'
import { playwrightDriver } from './playwright-driver.ts'
import { firefoxDriver } from './portable-driver.ts'

/** Captures frames with a Chromium, or another browser, that playwright drives. */
export default defineBrowserCapture('@vid/capture-playwright', {
  chromium: playwrightDriver,
  firefox: firefoxDriver,
})
