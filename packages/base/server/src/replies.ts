import { describeCause, type VidError } from '@vid/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codedRequestError, type ErrorFormat, errorReply } from './error-reply.ts'
import { failHttp } from './errors.ts'
import { noteCode } from './log.ts'
import { hasUnreadBody, lingerAfterReply } from './unread-body.ts'

const STOPPING_RETRY_SECONDS = 5
const SERVER_FAULTS = 500
const MAX_SHOWN = 200

/** How long a client should wait before retrying: the fact `retryAfterSeconds` of an error. */
const retryAfter = ({ code, facts }: VidError): number | undefined => {
  if (code === 'VID_SERVER_STOPPING') return STOPPING_RETRY_SECONDS
  return typeof facts.retryAfterSeconds === 'number' ? Math.ceil(facts.retryAfterSeconds) : undefined
}

/** Closes a connection after its reply if the client is still sending an unread body. */
const endUnread = ({ raw }: FastifyRequest, reply: FastifyReply): void => {
  if (!hasUnreadBody(raw)) return
  lingerAfterReply(raw)
  reply.header('connection', 'close')
}

/** Replies to anything thrown; details that a client must not read go to the log, with the id of the request. */
export const replyToError = (
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  errorFormat: ErrorFormat,
): FastifyReply => {
  const error = codedRequestError(thrown, {
    bodyBytes: request.routeOptions.bodyLimit ?? 0,
    mediaType: (request.headers['content-type'] ?? 'a body without a Content-Type').slice(0, MAX_SHOWN),
  })
  const { status, body } = errorReply(error, request.id, errorFormat)
  if (status >= SERVER_FAULTS) request.log.error({ err: thrown, code: error.code }, 'request failed')
  else request.log.debug({ code: error.code, reason: describeCause(error) }, 'request refused')
  noteCode(reply.raw, error.code)
  endUnread(request, reply)
  const seconds = retryAfter(error)
  if (seconds !== undefined) reply.header('retry-after', seconds)
  // The route may have set headers for a file that it did not send.
  for (const name of ['content-length', 'content-disposition', 'etag']) reply.removeHeader(name)
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

/** Completes every reply of a route before it is sent. */
export const finishReplies = (
  app: FastifyInstance,
  stopping: AbortSignal,
  stallTimeoutMs: number,
  errorFormat: ErrorFormat,
): void => {
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler((thrown, request, reply) => replyToError(thrown, request, reply, errorFormat))
  app.setNotFoundHandler(() => {
    throw failHttp('VID_HTTP_NOT_FOUND', {})
  })
  app.addHook('onSend', async (request, reply, payload) => {
    reply.raw.setTimeout(stallTimeoutMs, () => reply.raw.destroy())
    endUnread(request, reply)
    if (stopping.aborted) reply.header('connection', 'close')
    return payload
  })
}
