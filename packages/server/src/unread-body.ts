import type { IncomingMessage } from 'node:http'

const LINGER_MS = 2_000
const LINGER_BYTES = 4 * 1024 ** 2

/** Whether a client is still sending the body of its request. */
export const hasUnreadBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/**
 * Lets a client read the reply while it still sends: closing at once would reset the connection, and the reply would be
 * lost. What it sends is thrown away, up to a limit.
 */
export const lingerAfterReply = ({ socket }: IncomingMessage): void => {
  // Node calls this once the last reply of a connection is written.
  socket.destroySoon = () => {
    const start = socket.bytesRead
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.on('data', () => socket.bytesRead - start > LINGER_BYTES && socket.destroy())
    socket.once('close', () => clearTimeout(timer))
    socket.once('end', () => socket.destroy())
    socket.end()
    socket.resume()
  }
}
