import { isInitializeRequest, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { clientGone, createServer, failHttp, type Listening } from '@vid/server'
import { createHttpClients, type HttpClient } from './http-clients.ts'
import type { SessionParts } from './session.ts'

/** How the server listens. */
export interface HttpOptions {
  readonly port: number
  readonly token: string
  /** Milliseconds without a connection after which a client has left. */
  readonly idleMs?: number
}

/** A running server. */
export interface HttpServer extends Listening {
  /** Clients that are connected. */
  clients(): number
  close(): Promise<void>
}

const IDLE_MS = 60_000

/** Cancels the requests of a body, which may be a batch: nobody could read their answers. */
const cancelRequests = ({ transport }: HttpClient, body: unknown): void => {
  for (const message of Array.isArray(body) ? body : [body])
    if (isJSONRPCRequest(message))
      transport.onmessage?.({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: message.id, reason: 'the connection was closed' },
      })
}

/** Serves clients over HTTP on the loopback address, each with a session of its own. */
export const serveHttp = async (
  parts: SessionParts,
  { port, token, idleMs = IDLE_MS }: HttpOptions,
): Promise<HttpServer> => {
  const clients = createHttpClients(parts, idleMs)
  const server = await createServer({ tokens: [token], tokenSetting: 'VID_MCP_TOKEN', log: { level: 'silent' } })
  server.app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    handler: async ({ headers, body, raw }, reply) => {
      const id = headers['mcp-session-id']
      const isNew = id === undefined && isInitializeRequest(body)
      const client = isNew ? await clients.open() : typeof id === 'string' ? clients.get(id) : undefined
      // The protocol's way to say that a client must initialize again.
      if (!client) throw failHttp('VID_HTTP_NOT_FOUND', {})
      const leave = client.enter()
      const gone = clientGone(reply)
      reply.hijack()
      reply.raw.once('close', leave)
      gone.addEventListener('abort', () => cancelRequests(client, body))
      for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value as string)
      await client.transport.handleRequest(raw, reply.raw, body)
      return reply
    },
  })
  const listening = await server.listen(port)
  return {
    ...listening,
    clients: clients.count,
    close: async () => {
      await clients.close()
      await server.close()
    },
  }
}
