import type { PortableDriver } from '@vid/browser'
import { smoothBidi } from './bidi-commands.ts'
import { launchBrowser, lifeOf, loadPlaywright } from './launched-browser.ts'
import { createPortablePage } from './portable-page.ts'

/** Drives an installed Firefox over WebDriver BiDi. */
export const firefoxDriver: PortableDriver = {
  browser: 'firefox',
  lacks: ['alpha', 'hdr'],
  async launch(launch) {
    const { firefox } = loadPlaywright()
    launch.signal.throwIfAborted()
    const args = [...launch.args, '--remote-debugging-port=0']
    // The channel says that it is a Firefox as its makers built it.
    const launched = await launchBrowser(firefox, launch, args, { channel: 'moz-firefox' })
    smoothBidi(launched.browser)
    return { ...lifeOf(launched), newPage: async () => createPortablePage(launched.browser) }
  },
}

/** Drives a Chromium as if it had no DevTools protocol, by the same page layer. */
export const portableChromiumDriver: PortableDriver = {
  browser: 'chromium',
  lacks: [],
  async launch(launch) {
    const { chromium } = loadPlaywright()
    launch.signal.throwIfAborted()
    const launched = await launchBrowser(chromium, launch, [...launch.args, '--remote-debugging-pipe'])
    return { ...lifeOf(launched), newPage: async () => createPortablePage(launched.browser) }
  },
}
