import { randomUUID } from 'node:crypto'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { failHttp } from '@vid/server'
import { openClientSession, type Session, type SessionParts } from './session.ts'

/** A client over HTTP. */
export interface HttpClient {
  readonly transport: StreamableHTTPServerTransport
  /** Counts a request or a stream; returns what notes its end. */
  enter(): () => void
}

interface KeptClient extends HttpClient {
  readonly session: Session
  stopWaiting(): void
}

const MAX_CLIENTS = 16

/** Keeps the clients of a server; one that has no connection for `idleMs` has left. */
export const createHttpClients = (parts: SessionParts, idleMs: number) => {
  const clients = new Map<string, KeptClient>()

  const remove = async (id: string) => {
    const client = clients.get(id)
    clients.delete(id)
    client?.stopWaiting()
    await client?.session.close()
  }

  const open = async (): Promise<HttpClient> => {
    if (clients.size >= MAX_CLIENTS) throw failHttp('VID_HTTP_TOO_MANY', { retryAfterSeconds: 5 })
    const session = openClientSession(parts)
    let connections = 0
    let timer: NodeJS.Timeout | undefined
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void clients.set(id, client),
      onsessionclosed: remove,
    })
    const leave = () => {
      connections -= 1
      const { sessionId } = transport
      if (connections > 0 || sessionId === undefined) return
      clearTimeout(timer)
      timer = setTimeout(() => void remove(sessionId), idleMs)
      timer.unref()
    }
    const client: KeptClient = {
      session,
      transport,
      enter() {
        connections += 1
        clearTimeout(timer)
        return leave
      },
      stopWaiting: () => clearTimeout(timer),
    }
    await session.connect(transport as Parameters<Session['connect']>[0])
    return client
  }

  return {
    open,
    get: (id: string): HttpClient | undefined => clients.get(id),
    count: () => clients.size,
    close: async () => {
      await Promise.all([...clients.keys()].map(remove))
    },
  }
}
