import { randomUUID } from 'node:crypto'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { isInitializeRequest, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { clientGone, createServer, failHttp, type Listening } from '@vid/server'
import { openSession, type Session, type SessionParts } from './session.ts'

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

interface Client {
  readonly session: Session
  readonly transport: StreamableHTTPServerTransport
  /** Open requests and streams. */
  connections: number
  timer: NodeJS.Timeout | undefined
}

const IDLE_MS = 60_000
const MAX_CLIENTS = 16

/** The ids of the requests in a body, which may be a batch. */
const requestIds = (body: unknown) =>
  (Array.isArray(body) ? body : [body]).filter((message) => isJSONRPCRequest(message)).map(({ id }) => id)

/** Serves clients over HTTP on the loopback address, each with a session of its own. */
export const serveHttp = async (
  parts: SessionParts,
  { port, token, idleMs = IDLE_MS }: HttpOptions,
): Promise<HttpServer> => {
  const clients = new Map<string, Client>()
  const server = await createServer({ tokens: [token], tokenSetting: 'VID_MCP_TOKEN', log: { level: 'silent' } })

  const remove = async (id: string) => {
    const client = clients.get(id)
    clients.delete(id)
    clearTimeout(client?.timer)
    await client?.session.close()
  }
  const open = async (): Promise<Client> => {
    if (clients.size >= MAX_CLIENTS) throw failHttp('VID_HTTP_TOO_MANY', { retryAfterSeconds: 5 })
    const session = openSession(parts)
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void clients.set(id, client),
      onsessionclosed: remove,
    })
    const client: Client = { session, transport, connections: 0, timer: undefined }
    await session.connect(transport as Parameters<Session['connect']>[0])
    return client
  }
  /** A client without a connection has left, unless it comes back in time. */
  const leave = (client: Client) => {
    client.connections -= 1
    const { sessionId } = client.transport
    if (client.connections > 0 || sessionId === undefined) return
    clearTimeout(client.timer)
    client.timer = setTimeout(() => void remove(sessionId), idleMs)
    client.timer.unref()
  }

  server.app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    handler: async (request, reply) => {
      const id = request.headers['mcp-session-id']
      const known = typeof id === 'string' ? clients.get(id) : undefined
      const client = known ?? (id === undefined && isInitializeRequest(request.body) ? await open() : undefined)
      // The protocol's way to say that a client must initialize again.
      if (!client) throw failHttp('VID_HTTP_NOT_FOUND', {})
      client.connections += 1
      clearTimeout(client.timer)
      const gone = clientGone(reply)
      reply.hijack()
      reply.raw.once('close', () => leave(client))
      // Nobody could read the answer of a request whose connection is gone.
      gone.addEventListener('abort', () => {
        for (const requestId of requestIds(request.body))
          client.transport.onmessage?.({
            jsonrpc: '2.0',
            method: 'notifications/cancelled',
            params: { requestId, reason: 'the connection was closed' },
          })
      })
      for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value as string)
      await client.transport.handleRequest(request.raw, reply.raw, request.body)
      return reply
    },
  })
  const listening = await server.listen(port)
  return {
    ...listening,
    clients: () => clients.size,
    close: async () => {
      await Promise.all([...clients.keys()].map(remove))
      await server.close()
    },
  }
}
