import type { FastifyReply, FastifyRequest } from 'fastify'

/** A stream of events to one client (server-sent events). */
export interface EventStream {
  /**
   * Sends one event as JSON. For a slow client, an event replaces a waiting one with the same `replaces`; all others
   * arrive in order.
   */
  send(event: object, options?: { readonly replaces?: string }): void
  /** Ends the stream once all waiting events are sent; resolves when the connection is done with it. */
  close(): Promise<void>
  /** Aborts if the client disconnects or is cut off before the end of the stream. */
  readonly gone: AbortSignal
}

/** Limits and heartbeat of a stream. */
export interface EventStreamOptions {
  /** Interval of comments that keep proxies from closing the connection; 15 s by default. */
  readonly heartbeatMs?: number
  /** Bytes that may wait for a slow client before it is cut off; 256 KiB by default. */
  readonly maxWaitingBytes?: number
  /** Time without progress after which the client is cut off; 60 s by default. */
  readonly stallTimeoutMs?: number
}

interface Waiting {
  readonly text: string
  readonly replaces: string | undefined
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** Opens the stream by sending status and headers; after this, the request can no longer be refused. */
export const openEventStream = (
  request: FastifyRequest,
  reply: FastifyReply,
  { heartbeatMs = 15_000, maxWaitingBytes = 256 * 1024, stallTimeoutMs = 60_000 }: EventStreamOptions = {},
): EventStream => {
  const { raw } = reply
  const departure = new AbortController()
  let resolveClosed = () => {}
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve
  })
  let queue: Waiting[] = []
  let isEnding = false

  const flush = () => {
    while (queue.length > 0 && !raw.writableNeedDrain) raw.write(queue.shift()?.text)
    if (isEnding && queue.length === 0 && !raw.writableEnded) raw.end()
  }
  const cut = () => raw.destroy()
  const heartbeat = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(': heartbeat\n\n')
  }, heartbeatMs)
  const onClose = () => {
    clearInterval(heartbeat)
    queue = []
    if (!raw.writableEnded) departure.abort()
    resolveClosed()
  }

  reply.hijack()
  if (raw.destroyed || raw.socket?.destroyed) onClose()
  else {
    raw.once('close', onClose)
    // A broken connection also closes, which `gone` reports.
    raw.on('error', () => {})
    raw.on('drain', flush)
    raw.setTimeout(stallTimeoutMs, cut)
    raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS })
    raw.flushHeaders()
    if (request.method === 'HEAD') raw.end()
  }

  return {
    send(event, { replaces } = {}) {
      if (isEnding || raw.writableEnded || raw.destroyed) return
      if (replaces !== undefined) queue = queue.filter((message) => message.replaces !== replaces)
      queue.push({ text: `data: ${JSON.stringify(event)}\n\n`, replaces })
      flush()
      const bytes = queue.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
      if (bytes > maxWaitingBytes) cut()
    },
    close() {
      isEnding = true
      if (!raw.destroyed) flush()
      return closed
    },
    gone: departure.signal,
  }
}
