import type { Writable } from 'node:stream'
import { type CdpPort, explainStart, type PageDriver } from '@vid/browser'
import type { CDPSession } from 'puppeteer-core/internal/api/CDPSession.js'
import type { Connection } from 'puppeteer-core/internal/cdp/Connection.js'
import { type BrowserProcess, startBrowser } from './browser-process.ts'

const portOf = (session: Connection | CDPSession): CdpPort => ({
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

/** Speaks to a browser that is starting, and waits until it answers. */
const connect = async ({ commands, answers, exited }: BrowserProcess): Promise<Connection> => {
  // Only the connection is used: the rest of the library takes longer to load than the browser takes to start.
  const [{ Connection }, { PipeTransport }] = await Promise.all([
    import('puppeteer-core/internal/cdp/Connection.js'),
    import('puppeteer-core/internal/node/PipeTransport.js'),
  ])
  const transport = new PipeTransport(commands, answers)
  writeTogether(commands)
  const connection = new Connection('', transport, 0, 0)
  const ended = exited.then(() => Promise.reject(new Error('the browser has ended')))
  await Promise.race([connection.send('Browser.getVersion'), ended])
  return connection
}

/** Launches browsers, and speaks to them by the connection of puppeteer. */
export const puppeteerDriver: PageDriver = {
  async launch(options) {
    const browser = await startBrowser(options)
    const root = await connect(browser).catch(async (cause: unknown) => {
      await browser.end(async () => undefined)
      throw await explainStart(cause, browser)
    })
    return {
      pid: browser.pid,
      port: portOf(root),
      onExit: (listener) => void browser.exited.then(listener),
      async newPage() {
        const { targetId } = await root.send('Target.createTarget', { url: 'about:blank' })
        const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true })
        const session = root.session(sessionId)
        if (!session) throw new Error(`the page ${targetId} went away`)
        return {
          port: portOf(session),
          close: async () => {
            await root.send('Target.closeTarget', { targetId }).catch(() => undefined)
          },
        }
      },
      close: () => browser.end(() => root.send('Browser.close')),
    }
  },
}
