import type { FastifyReply } from 'fastify'

/**
 * Aborts if the client disconnects before its reply was handed over; never afterwards, even on a connection that stays
 * open.
 */
export const clientGone = ({ raw }: FastifyReply): AbortSignal => {
  const departure = new AbortController()
  const onClose = () => {
    if (!raw.writableEnded) departure.abort()
  }
  if (raw.destroyed || raw.socket?.destroyed) onClose()
  else raw.once('close', onClose)
  return departure.signal
}
