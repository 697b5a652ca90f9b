import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { VidError } from '@vid/protocol'
import { type ErrorFormat, errorReply } from './error-reply.ts'
import { failHttp } from './errors.ts'

/** The error for a request that Node could not parse. */
const codedProblem = (code: string | undefined): VidError | undefined => {
  if (code === 'HPE_HEADER_OVERFLOW') return failHttp('VID_HTTP_HEADERS_TOO_LARGE', {})
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return failHttp('VID_HTTP_TIMEOUT', {})
  if (code === 'HPE_INVALID_URL') return failHttp('VID_HTTP_ADDRESS', {})
  return code?.startsWith('HPE_') ? failHttp('VID_HTTP_MALFORMED', {}) : undefined
}

/** Whether an error can be sent: the client waits for no other reply, and none has begun. */
const canReply = (pending: readonly ServerResponse[]): boolean =>
  pending.every(({ headersSent, req }) => !headersSent && !req.complete) && pending.length <= 1

/** Sends an error on a raw connection whose input is not a valid request, and closes the connection. */
export const refuseConnection = (
  socket: Socket,
  code: string | undefined,
  errorFormat: ErrorFormat,
  pending: readonly ServerResponse[],
): { readonly requestId: string; readonly code: string } | undefined => {
  const error = codedProblem(code)
  if (error === undefined || !socket.writable || !canReply(pending)) {
    socket.destroy()
    return undefined
  }
  const requestId = randomUUID()
  const { status, body } = errorReply(error, requestId, errorFormat)
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `x-request-id: ${requestId}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
  return { requestId, code: error.code }
}
