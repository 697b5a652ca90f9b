import type { Writable } from 'node:stream'
import { type CdpPort, explainStart, type PageDriver, watchProcess, watchStart } from '@vid/browser'
import type { CDPSession } from 'puppeteer-core'

const portOf = (session: CDPSession): CdpPort => ({
  send: (method, params) => session.send(method as 'Page.enable', params as undefined),
  on(event, listener) {
    session.on(event, listener)
    return () => session.off(event, listener)
  },
})

/** Sends at once what is written in one turn of the event loop: each write wakes the browser. */
const writeTogether = (pipe: Writable) => {
  const write = pipe.write.bind(pipe) as (...chunk: unknown[]) => boolean
  pipe.write = (...chunk: unknown[]) => {
    if (pipe.writableCorked === 0) {
      pipe.cork()
      process.nextTick(() => pipe.uncork())
    }
    return write(...chunk)
  }
}

/** Launches and drives browsers with puppeteer; its page layer is left out, the port speaks to the browser itself. */
export const puppeteerDriver: PageDriver = {
  async launch({ executable, env, args, signal }) {
    const { launch } = await import('puppeteer-core')
    const browser = await watchStart(args, (started) =>
      launch({
        executablePath: executable,
        args: [...args],
        ignoreDefaultArgs: true,
        env,
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
      }).catch(async (cause: unknown) => {
        throw await explainStart(cause, started())
      }),
    )
    const child = browser.process()
    const running = child && watchProcess(child)
    if (!running) throw new Error('the browser has no process')
    // The third of its streams is where puppeteer writes commands.
    writeTogether(child.stdio[3] as Writable)
    const root = await browser.target().createCDPSession()
    return {
      pid: running.pid,
      port: portOf(root),
      onExit: (listener) => void running.exited.then(listener),
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
      close: () => running.end(() => browser.close()),
    }
  },
}
