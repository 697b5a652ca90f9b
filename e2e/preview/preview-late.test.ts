import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, test } from 'vitest'
import { expectNoStrays } from '../support/late-session.ts'
import { startBrowser } from '../support/player-site.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

test('45 gestures write nothing of other elements, although each answer is late by up to 300 ms', () =>
  expectNoStrays(browser, 45, 300))
