import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from './limits.ts'

/** A request whose bytes are still arriving. */
interface Arriving {
  readonly request: IncomingMessage
  startedMs: number
  /** Bytes received on the connection when the request began, and the time of its last byte. */
  startBytes: number
  lastBytes: number
  lastMs: number
}

interface Admission {
  /** Whether the sender has authenticated. */
  readonly isProven: boolean
  /** Called once the request is over. */
  readonly onEnd: (() => void) | undefined
}

interface Connection {
  readonly client: string
  /** Requests that passed the checks. */
  readonly admitted: Map<IncomingMessage, Admission>
  arriving: Arriving | undefined
}

/** The connections of a server. */
export interface Connections {
  /** Registers a request that has begun; call the returned function once the request is over. */
  begin(request: IncomingMessage): () => void
}

const connectionOf = new WeakMap<Socket, Connection>()

/**
 * Marks a request as admitted. Its connection is then no longer closed to make room: from now on if its sender has
 * authenticated, otherwise from when the request has arrived.
 */
export const admit = (request: IncomingMessage, admission: Admission): void => {
  const { admitted } = connectionOf.get(request.socket) ?? {}
  // Its connection was closed in the meantime.
  if (admitted) admitted.set(request, admission)
  else admission.onEnd?.()
}

const isNeeded = ({ admitted }: Connection): boolean =>
  [...admitted].some(([request, { isProven }]) => isProven || request.complete)

const byClient = (connections: ReadonlyMap<Socket, Connection>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { client } of connections.values()) counts.set(client, (counts.get(client) ?? 0) + 1)
  return counts
}

/** The connection to close for a new one: the oldest idle one of the client with the most connections. */
const leastNeeded = (connections: ReadonlyMap<Socket, Connection>): Socket | undefined => {
  const counts = byClient(connections)
  let victim: Socket | undefined
  let most = 0
  for (const [socket, connection] of connections) {
    const count = counts.get(connection.client) ?? 0
    if (count <= most || isNeeded(connection)) continue
    victim = socket
    most = count
  }
  return victim
}

/** Whether a body stalls or arrives too slowly; time in which the server does not read it is excluded. */
const drips = (arriving: Arriving, bytesRead: number, nowMs: number, limits: Limits): boolean => {
  const { request } = arriving
  const waitsForUs = request.isPaused() || request.readableLength >= request.readableHighWaterMark
  if (waitsForUs) {
    arriving.startedMs = nowMs
    arriving.startBytes = bytesRead
  }
  if (waitsForUs || bytesRead > arriving.lastBytes) {
    arriving.lastMs = nowMs
    arriving.lastBytes = bytesRead
  }
  if (nowMs - arriving.lastMs >= limits.bodyStallTimeoutMs) return true
  const elapsedMs = nowMs - arriving.startedMs
  const isLate = elapsedMs >= limits.bodyStallTimeoutMs
  return isLate && ((bytesRead - arriving.startBytes) * 1000) / elapsedMs < limits.minBodyBytesPerSecond
}

/**
 * Watches the connections of a server: slow bodies are cut off, and if there are too many connections, the client with
 * the most loses an unauthenticated one.
 */
export const watchConnections = (server: Server, limits: Limits): Connections => {
  const connections = new Map<Socket, Connection>()
  server.on('connection', (socket: Socket) => {
    if (connections.size >= limits.maxConnections) {
      const other = leastNeeded(connections)
      // If none can be closed, all are in use, and the new one is refused.
      connections.delete(other ?? socket)
      ;(other ?? socket).destroy()
      if (!other) return
    }
    const connection: Connection = {
      client: socket.remoteAddress ?? '',
      admitted: new Map(),
      arriving: undefined,
    }
    connections.set(socket, connection)
    connectionOf.set(socket, connection)
    socket.once('close', () => connections.delete(socket))
  })
  const checkTimes = () => {
    const nowMs = performance.now()
    for (const [socket, { arriving }] of connections) {
      if (!arriving || arriving.request.complete) continue
      if (!drips(arriving, socket.bytesRead, nowMs, limits)) continue
      const late = Object.assign(new Error('the body drips'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      server.emit('clientError', late, socket)
    }
  }
  const looking = setInterval(checkTimes, limits.checkIntervalMs)
  looking.unref()
  server.once('close', () => clearInterval(looking))
  return {
    begin(request) {
      const { socket } = request
      const connection = connections.get(socket)
      if (!connection) return () => {}
      const nowMs = performance.now()
      const { bytesRead } = socket
      connection.arriving = {
        request,
        startedMs: nowMs,
        startBytes: bytesRead,
        lastBytes: bytesRead,
        lastMs: nowMs,
      }
      return () => {
        connection.admitted.get(request)?.onEnd?.()
        connection.admitted.delete(request)
        if (connection.arriving?.request === request) connection.arriving = undefined
      }
    },
  }
}
