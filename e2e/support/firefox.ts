import { findBrowser } from '@vid/browser'
import puppeteer, { type Browser } from 'puppeteer-core'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'

const named = process.env.VID_TEST_FIREFOX

/** The Firefox that is tried: VID_TEST_FIREFOX, or an installed one. */
export const firefox = await findBrowser({
  engine: 'firefox',
  ...(named !== undefined && { path: named }),
}).then(
  ({ path }) => path,
  (cause: unknown) => {
    if (named !== undefined) throw cause
    return undefined
  },
)

/** Why tests in it are skipped; empty when they are not. */
export const why = firefox ? '' : ' (skipped: no Firefox is installed, nor named by VID_TEST_FIREFOX)'

/** Starts it; what it plays may be heard at once. */
export const startFirefox = (): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox ?? '',
    headless: true,
    extraPrefsFirefox: { 'media.autoplay.default': 0 },
    timeout: BROWSER_PATIENCE_MS,
  })
