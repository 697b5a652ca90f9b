import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { AssetSite } from '@vid/assets'

/** A site that pages may access, and the listener for refused requests. */
export interface AdmittedSite extends Pick<AssetSite, 'origin' | 'answer'> {
  /**
   * Called for each refused request of the site with its address, or with the host and port of a refused connection.
   * If several sites share the browser, it is called only for requests that name the site.
   */
  refused(address: string): void
}

/**
 * The proxy that all traffic of a browser goes through. It answers for admitted sites itself and connects to nothing,
 * so a page cannot reach any other address.
 */
export interface EgressProxy {
  /** Such as `http://0f3c….localhost:41234`: a name that no page can guess, since the browser can reach it directly. */
  readonly address: string
  /** Admits a site; the returned function ends that. */
  admit(site: AdmittedSite): () => void
  /** Number of requests, tunnels and upgrades refused so far. */
  refused(): number
  close(): Promise<void>
}

const refuse = (response: ServerResponse): void => {
  response.writeHead(403, { 'content-length': 0, connection: 'close' })
  response.end()
}

/** Opens the egress proxy of one browser; no site is admitted yet. */
export const openEgressProxy = async (): Promise<EgressProxy> => {
  const sites = new Map<string, AdmittedSite>()
  let refused = 0
  /** The site that sent a request, if known; tunnels do not reveal it. */
  const askerOf = ({ headers }: IncomingMessage): AdmittedSite | undefined => {
    const [named = ''] = /^http:\/\/[^/]*/.exec(headers.origin ?? headers.referer ?? '') ?? []
    return sites.get(named) ?? (sites.size === 1 ? [...sites.values()][0] : undefined)
  }
  const report = (request: IncomingMessage) => {
    refused += 1
    // Requests of one site are not reported to another, which may belong to another user of a shared browser.
    askerOf(request)?.refused(request.url ?? '')
  }
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { url = '' } = request
    const [origin = ''] = /^https?:\/\/[^/]*/.exec(url) ?? []
    const path = url.slice(origin.length)
    const site = path.startsWith('/') ? sites.get(origin) : undefined
    if (site === undefined) {
      report(request)
      return refuse(response)
    }
    request.url = path
    request.headers.host = origin.slice('http://'.length)
    site.answer(request, response)
  }
  const deny = (request: IncomingMessage, socket: Duplex) => {
    report(request)
    socket.on('error', () => socket.destroy())
    // A client that keeps its side open would prevent the proxy from closing.
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n', () => socket.destroy())
  }
  const server = createServer(answer)
  server.on('connect', deny)
  server.on('upgrade', deny)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const name = `${randomBytes(16).toString('hex')}.localhost`
  let closing: Promise<void> | undefined
  return {
    address: `http://${name}:${(server.address() as AddressInfo).port}`,
    admit(site) {
      sites.set(site.origin, site)
      return () => {
        sites.delete(site.origin)
        // Connections of its pages, which are closed.
        server.closeIdleConnections()
      }
    },
    refused: () => refused,
    close() {
      closing ??= new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      })
      return closing
    },
  }
}
