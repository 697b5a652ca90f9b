import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Name of the header that carries the id of a request, both ways. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** What the id of a request may look like. */
export const REQUEST_ID_PATTERN = '^[A-Za-z0-9_.:-]{1,128}$'

const PATTERN = new RegExp(REQUEST_ID_PATTERN)

/** The id that the client chose, where it is a valid one, else a new one. */
export const requestIdOf = (headers: IncomingHttpHeaders): string => {
  const header = headers[REQUEST_ID_HEADER]
  return typeof header === 'string' && PATTERN.test(header) ? header : randomUUID()
}
