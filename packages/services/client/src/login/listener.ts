import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describeCause } from '@vid/protocol'
import { fail } from '../errors.ts'
import { type LoginPage, sendPage, strayPage } from './pages.ts'

const HOST = '127.0.0.1'
const PATH = '/callback'

/** The browser's return from the server. */
export interface Return {
  /** Requested address with its query. */
  readonly address: URL
  /** Shows a page in the browser; resolves once it is sent. */
  answer(page: LoginPage): Promise<void>
}

/** Listens on this machine for the returning browser. */
export interface Listener {
  /** Redirect URI for the server. */
  readonly redirectUri: string
  /** Resolves with the request that has the right state; other requests get a reply and change nothing. */
  returned(signal: AbortSignal): Promise<Return>
  /** Closes every connection. */
  close(): Promise<void>
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares texts of any length in constant time. */
const isSame = (first: string, other: string): boolean => timingSafeEqual(digest(first), digest(other))

/** Listens on a free port for one sign-in. */
export const openListener = async (state: string): Promise<Listener> => {
  let arrive: (result: Return) => void = () => {}
  const arrived = new Promise<Return>((resolve) => {
    arrive = resolve
  })
  let hasReturned = false

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    request.resume()
    const { method, url = '', headers } = request
    const address = URL.canParse(url, redirectUri) ? new URL(url, redirectUri) : undefined
    const states = address?.searchParams.getAll('state') ?? []
    const isAsked = method === 'GET' && address?.pathname === PATH && headers.host === new URL(redirectUri).host
    if (hasReturned || !isAsked || !address || states.length !== 1 || !isSame(states[0] ?? '', state))
      return sendPage(response, strayPage)
    hasReturned = true
    arrive({
      address,
      async answer(page) {
        if (response.closed) return
        const delivery = Promise.race([once(response, 'finish'), once(response, 'close')])
        sendPage(response, page)
        await delivery
      },
    })
  }
  let redirectUri = ''
  const server = createServer(handle)
  try {
    server.listen(0, HOST)
    await once(server, 'listening')
  } catch (cause) {
    throw fail('VID_LOGIN_LISTENER', { reason: describeCause(cause) }, { cause })
  }
  redirectUri = `http://${HOST}:${(server.address() as AddressInfo).port}${PATH}`
  return {
    redirectUri,
    returned: (signal) =>
      new Promise((resolve, reject) => {
        const onAbort = () => reject(signal.reason)
        if (signal.aborted) return onAbort()
        signal.addEventListener('abort', onAbort, { once: true })
        void arrived.then((result) => {
          signal.removeEventListener('abort', onAbort)
          resolve(result)
        })
      }),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
