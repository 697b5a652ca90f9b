import type { FastifyReply } from 'fastify'

/** Aborts when the client leaves before its reply was handed over; never after that, also where it keeps the connection. */
export const clientGone = ({ raw }: FastifyReply): AbortSignal => {
  const departure = new AbortController()
  const onClose = () => {
    if (!raw.writableEnded) departure.abort()
  }
  if (raw.destroyed || raw.socket?.destroyed) onClose()
  else raw.once('close', onClose)
  return departure.signal
}
