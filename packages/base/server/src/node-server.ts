import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { watchConnections } from './connections.ts'
import type { Limits } from './limits.ts'

/** Handles one request. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Parts of a Node server besides its limits. */
export interface NodeServerParts {
  readonly limits: Limits
  readonly handler: Handler
  /** Called for input that is not a valid request, with the pending replies of its connection. */
  readonly onBadRequest: (error: Error, socket: Socket, pending: readonly ServerResponse[]) => void
}

const wantsContinue = new WeakSet<IncomingMessage>()
const expectsUnknown = new WeakSet<IncomingMessage>()

/** Whether the Expect header of a request has an unknown value. */
export const hasUnknownExpectation = (request: IncomingMessage): boolean => expectsUnknown.has(request)

/** Tells a client that waits with its body to send it. */
export const askForBody = (request: IncomingMessage, response: ServerResponse): void => {
  if (wantsContinue.delete(request)) response.writeContinue()
}

/** How many may wait for the end of one response before Node warns. */
const MAX_WAITING = 32

/** Creates a server with all limits set; it asks for a body only after the request has passed its checks. */
export const nodeServer = ({ limits, handler, onBadRequest }: NodeServerParts): Server => {
  const replies = new WeakMap<Socket, Set<ServerResponse>>()
  const answer: Handler = (request, response) => {
    const pending = replies.get(request.socket) ?? new Set()
    replies.set(request.socket, pending.add(response))
    const end = connections.begin(request)
    // Limits, logs, draining, routes and the libraries each wait for the end of a response: no leak.
    response.setMaxListeners(MAX_WAITING)
    response.once('close', () => {
      pending.delete(response)
      end()
    })
    handler(request, response)
  }
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      // The server refuses such a request with its own code.
      requireHostHeader: false,
    },
    answer,
  )
  const connections = watchConnections(server, limits)
  server.maxRequestsPerSocket = limits.maxRequestsPerConnection
  server.on('checkContinue', (request, response) => {
    wantsContinue.add(request)
    answer(request, response)
  })
  server.on('checkExpectation', (request, response) => {
    expectsUnknown.add(request)
    answer(request, response)
  })
  server.on('clientError', (error, socket) =>
    onBadRequest(error, socket as Socket, [...(replies.get(socket as Socket) ?? [])]),
  )
  return server
}
