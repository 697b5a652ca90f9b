import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Name of the header with the id of a request, in requests and replies. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** Pattern of a valid request id. */
export const REQUEST_ID_PATTERN = '^[A-Za-z0-9_.:-]{1,128}$'

const PATTERN = new RegExp(REQUEST_ID_PATTERN)

/** The client's id if it is valid, otherwise a new one. */
export const requestIdOf = (headers: IncomingHttpHeaders): string => {
  const header = headers[REQUEST_ID_HEADER]
  return typeof header === 'string' && PATTERN.test(header) ? header : randomUUID()
}
