import { createRequire } from 'node:module'
import { type BrowserLaunch, type DrivenBrowser, type DrivenProcess, explainStart, watchStart } from '@vid/browser'
import type { Browser, BrowserType, LaunchOptions } from 'playwright-core'

/** A browser that Playwright has launched, and its process. */
export interface LaunchedBrowser {
  readonly browser: Browser
  readonly running: DrivenProcess
}

/** What every driver of Playwright returns, except for its pages. */
export type LaunchedPart = Omit<DrivenBrowser<never>, 'newPage'>

// Not by `import`: Node would read 7 MB of CommonJS for names to export, for 0.15 s more of every start.
export const loadPlaywright = (): typeof import('playwright-core') => createRequire(import.meta.url)('playwright-core')

/** Starts a browser with exactly these arguments. */
export const launchBrowser = (
  type: BrowserType,
  { executable, env, signal }: BrowserLaunch,
  args: readonly string[],
  extra: LaunchOptions = {},
): Promise<LaunchedBrowser> =>
  watchStart(args, async (started) => {
    const launching = type.launch({
      ...extra,
      executablePath: executable,
      args: [...args],
      ignoreDefaultArgs: true,
      env,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      // The caller's signal ends a start that takes too long.
      timeout: 0,
    })
    const stop = () => void started()?.end(() => Promise.reject(signal.reason))
    signal.addEventListener('abort', stop, { once: true })
    const explained = launching.catch(async (cause: unknown) => {
      throw await explainStart(cause, started())
    })
    const browser = await explained.finally(() => signal.removeEventListener('abort', stop))
    const running = started()
    if (running) return { browser, running }
    await browser.close()
    throw new Error('the browser has no process')
  })

/** The exit of a launched browser, as a driver reports it. */
export const lifeOf = ({ browser, running }: LaunchedBrowser): LaunchedPart => ({
  pid: running.pid,
  onExit: (listener) => void running.exited.then(listener),
  async close() {
    const closed = browser.close()
    await running.end(() => closed)
    // Playwright removes temporary folders of its own.
    await closed.catch(() => undefined)
  },
})
