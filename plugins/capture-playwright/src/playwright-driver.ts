import type { CdpPort, DrivenProcess, PageDriver } from '@vid/browser'
import type { Browser } from 'playwright-core'
import { launchBrowser, lifeOf, loadPlaywright } from './launched-browser.ts'
import { attachPage } from './page-session.ts'

const openPage = async (browser: Browser, { exited }: DrivenProcess) => {
  const session = await browser.newBrowserCDPSession()
  // In the browser's own context: Playwright leaves alone the pages of contexts that it has not made.
  const { targetId } = await session.send('Target.createTarget', { url: 'about:blank' })
  const { port, end } = await attachPage(session, targetId)
  void exited.then(() => end('the browser was closed'))
  return {
    port,
    async close() {
      await session.send('Target.closeTarget', { targetId }).catch(() => undefined)
      end('the page was closed')
      await session.detach().catch(() => undefined)
    },
  }
}

/** Launches and drives browsers with Playwright; its page layer is left out, the port speaks to the browser itself. */
export const playwrightDriver: PageDriver = {
  async launch(launch) {
    const { chromium } = loadPlaywright()
    launch.signal.throwIfAborted()
    // The browser ends by itself when this process dies and the pipe breaks.
    const launched = await launchBrowser(chromium, launch, [...launch.args, '--remote-debugging-pipe'])
    const root = await launched.browser.newBrowserCDPSession()
    const send: CdpPort['send'] = (method, params) => root.send(method as 'Browser.getVersion', params as undefined)
    return {
      ...lifeOf(launched),
      port: { send },
      newPage: () => openPage(launched.browser, launched.running),
    }
  },
}
