import type { CdpPort, PageDriver } from '@vid/browser'
import type { CDPSession } from 'puppeteer-core'

/** How long a browser may take to end by itself, in milliseconds. */
const GRACE_MS = 2_000

/** Lines of stderr that go into an error. */
const LAST_LINES = 8

const portOf = (session: CDPSession): CdpPort => ({
  send: (method, params) => session.send(method as 'Page.enable', params as undefined),
  on(event, listener) {
    session.on(event, listener)
    return () => session.off(event, listener)
  },
})

/** Ends what a killed browser left: its helper processes stand in one group, which bears its number. */
const endGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody was left.
  }
}

/** Launches and drives browsers with puppeteer; its page layer is left out, the port speaks to the browser itself. */
export const puppeteerDriver: PageDriver = {
  async launch({ executable, env, args, signal }) {
    const { launch } = await import('puppeteer-core')
    const browser = await launch({
      executablePath: executable,
      args: [...args],
      ignoreDefaultArgs: true,
      env: { ...process.env, ...env },
      // The browser ends by itself when this process dies and the pipe breaks.
      pipe: true,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      defaultViewport: null,
      networkEnabled: false,
      issuesEnabled: false,
      waitForInitialPage: false,
      protocolTimeout: 0,
      signal,
    })
    const child = browser.process()
    if (child?.pid === undefined) throw new Error('the browser has no process')
    const { pid } = child
    let lastLines = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      lastLines = (lastLines + chunk.toString()).split('\n').slice(-LAST_LINES).join('\n')
    })
    const exited = new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve()
      else child.once('close', () => resolve())
    }).then(() => endGroup(pid))
    const root = await browser.target().createCDPSession()
    return {
      pid,
      onExit: (listener) =>
        void exited.then(() =>
          listener({ code: child.exitCode, signal: child.signalCode, stderr: lastLines.trim() }),
        ),
      async newPage() {
        const { targetId } = await root.send('Target.createTarget', { url: 'about:blank' })
        const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true })
        const session = root.connection()?.session(sessionId)
        if (!session) throw new Error(`the page ${targetId} went away`)
        return {
          port: portOf(session),
          close: async () => {
            await root.send('Target.closeTarget', { targetId }).catch(() => undefined)
          },
        }
      },
      async close() {
        const force = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
        browser.close().catch(() => child.kill('SIGKILL'))
        await exited
        clearTimeout(force)
      },
    }
  },
}
