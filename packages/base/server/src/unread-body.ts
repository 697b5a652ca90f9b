import type { IncomingMessage } from 'node:http'

const LINGER_MS = 2_000
const LINGER_BYTES = 16 * 1024 ** 2

/** Whether a client is still sending the body of its request. */
export const hasUnreadBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

const lingering = new WeakSet<IncomingMessage>()

/**
 * Lets a client read the reply while it is still sending: closing at once would reset the connection and lose the
 * reply. What the client sends is discarded, up to a limit.
 */
export const lingerAfterReply = (request: IncomingMessage): void => {
  if (lingering.has(request)) return
  lingering.add(request)
  const { socket } = request
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > LINGER_BYTES) socket.destroy()
  })
  // Node calls this once the last reply of a connection is written.
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.once('end', () => socket.destroy())
    socket.end()
  }
}
