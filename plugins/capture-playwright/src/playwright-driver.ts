import { createRequire } from 'node:module'
import type { DrivenProcess, PageDriver } from '@vid/browser'
import type { Browser } from 'playwright-core'
import { attachPage } from './page-session.ts'
import { watchStart } from './started-process.ts'

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

// Not by `import`: Node would read 7 MB of CommonJS for names to export, for 0.15 s more of every start.
const loadPlaywright = (): typeof import('playwright-core') =>
  createRequire(import.meta.url)('playwright-core')

/** Launches and drives browsers with Playwright; its page layer is left out, the port speaks to the browser itself. */
export const playwrightDriver: PageDriver = {
  async launch({ executable, env, args, signal }) {
    const { chromium } = loadPlaywright()
    signal.throwIfAborted()
    // The browser ends by itself when this process dies and the pipe breaks.
    const all = [...args, '--remote-debugging-pipe']
    const { browser, running } = await watchStart(all, async (started) => {
      const launching = chromium.launch({
        executablePath: executable,
        args: all,
        ignoreDefaultArgs: true,
        env: { ...process.env, ...env },
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      })
      const stop = () => void started()?.end(() => Promise.reject(signal.reason))
      signal.addEventListener('abort', stop, { once: true })
      const explained = launching.catch(async (cause: unknown) => {
        const exit = await started()?.exited
        throw exit ? new Error(`it ended with ${exit.code ?? exit.signal}: ${exit.stderr}`, { cause }) : cause
      })
      const launched = await explained.finally(() => signal.removeEventListener('abort', stop))
      const running = started()
      if (running) return { browser: launched, running }
      await launched.close()
      throw new Error('the browser has no process')
    })
    return {
      pid: running.pid,
      onExit: (listener) => void running.exited.then(listener),
      newPage: () => openPage(browser, running),
      async close() {
        const closed = browser.close()
        await running.end(() => closed)
        // Playwright removes temporary folders of its own.
        await closed.catch(() => undefined)
      },
    }
  },
}
