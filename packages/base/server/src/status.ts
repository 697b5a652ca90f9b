import { httpStatusOf, type VidError } from '@vid/protocol'

/** HTTP statuses by error code. */
export type StatusTable = Readonly<Record<string, number>>

const STATUSES: StatusTable = {
  VID_HTTP_INVALID: 400,
  VID_HTTP_MALFORMED: 400,
  VID_HTTP_ADDRESS: 400,
  VID_HTTP_BODY_JSON: 400,
  VID_HTTP_FORM: 400,
  VID_HTTP_UNAUTHORIZED: 401,
  VID_HTTP_ORIGIN: 403,
  VID_HTTP_NOT_FOUND: 404,
  VID_HTTP_METHOD: 405,
  VID_HTTP_TIMEOUT: 408,
  VID_HTTP_BODY_TOO_LARGE: 413,
  VID_HTTP_MEDIA_TYPE: 415,
  VID_HTTP_RANGE: 416,
  VID_HTTP_EXPECTATION: 417,
  VID_HTTP_HOST: 421,
  VID_HTTP_TOO_MANY: 429,
  VID_HTTP_HEADERS_TOO_LARGE: 431,
  VID_HTTP_FAILED: 500,
  VID_SERVER_LACKS: 503,
  VID_SERVER_STOPPING: 503,
}

/** The HTTP status of an error. Precedence: the server's table > the codes of HTTP errors > the fault. */
export const statusOf = (error: VidError, table: StatusTable = {}): number =>
  table[error.code] ?? STATUSES[error.code] ?? httpStatusOf(error)
