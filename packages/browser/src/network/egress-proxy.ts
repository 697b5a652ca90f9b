import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as send,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy for all traffic of a page: it forwards requests to one origin and refuses everything else. */
export interface EgressProxy {
  /** Such as `http://proxy.localhost:41234`. */
  readonly address: string
  /** Number of requests, tunnels and upgrades refused so far. */
  refused(): number
  close(): Promise<void>
}

/** Headers that are meant for the next hop only. */
const HOP_HEADERS = ['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive', 'upgrade']

const refuse = (response: ServerResponse, status = 403): void => {
  response.writeHead(status, { 'content-length': 0 })
  response.end()
}

const forward = (target: URL, request: IncomingMessage, response: ServerResponse): void => {
  const headers: OutgoingHttpHeaders = { ...request.headers, host: target.host }
  for (const name of HOP_HEADERS) delete headers[name]
  const { port, pathname, search } = target
  // Our origins are on the loopback address, whatever their names.
  const onward = send(
    { host: '127.0.0.1', port, path: pathname + search, method: request.method, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  onward.on('error', () => (response.headersSent ? response.destroy() : refuse(response, 502)))
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}

/** Opens a proxy to `origin`, one of our servers on the loopback address; tunnels and upgrades are refused. */
export const openEgressProxy = async (origin: string): Promise<EgressProxy> => {
  let refused = 0
  const server = createServer((request, response) => {
    const { url = '' } = request
    if (!url.startsWith(`${origin}/`)) {
      refused += 1
      return refuse(response)
    }
    forward(new URL(url), request, response)
  })
  for (const event of ['connect', 'upgrade'] as const)
    server.on(event, (_request, socket) => {
      refused += 1
      socket.on('error', () => socket.destroy())
      // A client that keeps its side open would keep the proxy from closing.
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n', () => socket.destroy())
    })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let closing: Promise<void> | undefined
  return {
    address: `http://proxy.localhost:${(server.address() as AddressInfo).port}`,
    refused: () => refused,
    close: () => {
      closing ??= new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      })
      return closing
    },
  }
}
