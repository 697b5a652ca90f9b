import { EventEmitter } from 'node:events'
import type { CdpPort } from '@vid/browser'
import type { CDPSession } from 'playwright-core'

/** What the protocol says inside a message from a page: an answer, or an event. */
interface PageMessage {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message: string; readonly data?: string }
}

interface Waiting {
  readonly method: string
  resolve(result: unknown): void
  reject(error: Error): void
}

/** A page's port, and what ends all that waits for it. */
export interface PageSession {
  readonly port: CdpPort
  end(reason: string): void
}

/**
 * Speaks to a page inside the messages of a browser session that belongs to it alone. Playwright drops what comes for
 * sessions that it has not made, and those that it makes for pages come with a page layer that changes the page.
 */
export const attachPage = async (browser: CDPSession, targetId: string): Promise<PageSession> => {
  const waiting = new Map<number, Waiting>()
  const events = new EventEmitter().setMaxListeners(0)
  let lastId = 0
  let ended: string | undefined
  const end = (reason: string) => {
    ended ??= reason
    for (const { reject } of waiting.values()) reject(new Error(ended))
    waiting.clear()
  }
  const settle = (id: number, { result, error }: PageMessage) => {
    const command = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) command?.resolve(result)
    else {
      const detail = [error.message, error.data].filter(Boolean).join(' ')
      command?.reject(new Error(`Protocol error (${command.method}): ${detail}`))
    }
  }
  browser.on('Target.receivedMessageFromTarget', ({ message }) => {
    const said: PageMessage = JSON.parse(message)
    if (said.id !== undefined) settle(said.id, said)
    else if (said.method !== undefined) events.emit(said.method, said.params)
  })
  browser.on('Target.detachedFromTarget', () => end('the page was closed'))

  const { sessionId } = await browser.send('Target.attachToTarget', { targetId })
  return {
    end,
    port: {
      send: (method, params) =>
        new Promise((resolve, reject) => {
          if (ended !== undefined) return reject(new Error(ended))
          const id = ++lastId
          waiting.set(id, { method, resolve, reject })
          const message = JSON.stringify({ id, method, params })
          // An answer to the message itself only says that it was passed on.
          browser.send('Target.sendMessageToTarget', { sessionId, message }).catch((cause: unknown) => {
            waiting.delete(id)
            reject(new Error('the page was closed', { cause }))
          })
        }),
      on(event, listener) {
        events.on(event, listener)
        return () => events.off(event, listener)
      },
    },
  }
}
