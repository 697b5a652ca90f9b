import type { CdpPort, PageDriver } from '@vid/browser'
import type { CDPSession } from 'puppeteer-core'

const portOf = (session: CDPSession): CdpPort => ({
  send: (method, params) => session.send(method as 'Page.enable', params as undefined),
  on(event, listener) {
    session.on(event, listener)
    return () => session.off(event, listener)
  },
})

/** Launches a browser and opens pages: all that differs between capture engines. */
export const driver: PageDriver = {
  async launch({ executable, env, args, signal }) {
    const { launch } = await import('puppeteer-core')
    const browser = await launch({
      executablePath: executable,
      args: [...args],
      ignoreDefaultArgs: true,
      env: { ...process.env, ...env },
      pipe: true,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      defaultViewport: null,
      waitForInitialPage: false,
      protocolTimeout: 0,
      signal,
    })
    const child = browser.process()
    if (child?.pid === undefined) throw new Error('the browser has no process')
    let stderr = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = `${stderr}${chunk}`.slice(-2000)
    })
    const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
    return {
      pid: child.pid,
      onExit: (listener) =>
        void exited.then(() => listener({ code: child.exitCode, signal: child.signalCode, stderr })),
      async newPage() {
        const page = await browser.newPage()
        return { port: portOf(await page.createCDPSession()), close: () => page.close() }
      },
      async close() {
        await browser.close().catch(() => child.kill('SIGKILL'))
        await exited
      },
    }
  },
}
