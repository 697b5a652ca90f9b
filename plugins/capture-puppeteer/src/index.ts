import { defineChromiumCapture } from '@vid/browser'
import { puppeteerDriver } from './puppeteer-driver.ts'

/** Captures frames with a Chromium that puppeteer drives. */
export default defineChromiumCapture('@vid/capture-puppeteer', puppeteerDriver)
