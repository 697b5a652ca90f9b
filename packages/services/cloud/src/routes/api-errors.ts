import { type CloudErrorCode, type CloudErrorReply, CloudErrorSchema } from '@vid/client/contract'
import type { VidError } from '@vid/protocol'
import { type BareErrorReply, type ClientErrorText, createReplyText, inOneText } from '@vid/server'

/** The API's reply to one of our errors. */
interface ApiError {
  readonly code: CloudErrorCode
  readonly status: number
  /** Text for clients, in place of a message that may name the machine. */
  readonly words?: ClientErrorText
}

const mapCodes = (
  code: CloudErrorCode,
  status: number,
  codes: readonly string[],
  words?: ClientErrorText,
): readonly (readonly [string, ApiError])[] =>
  codes.map((vidCode) => [vidCode, { code, status, ...(words && { words }) }])

const later = 'Try again later.'

/** Our error code → the API's code and status. For other codes, the fault of the error decides. */
export const apiErrors: ReadonlyMap<string, ApiError> = new Map([
  ...mapCodes('invalid_parameter', 400, ['VID_HTTP_INVALID', 'VID_HTTP_MALFORMED', 'VID_HTTP_ADDRESS']),
  ...mapCodes('invalid_parameter', 400, [
    'VID_HTTP_BODY_JSON',
    'VID_HTTP_FORM',
    'VID_CLOUD_PARAMETER',
    'VID_CLOUD_TEXT_UNFIT',
  ]),
  ...mapCodes('invalid_parameter', 405, ['VID_HTTP_METHOD']),
  ...mapCodes('invalid_parameter', 408, ['VID_HTTP_TIMEOUT']),
  ...mapCodes('invalid_parameter', 413, ['VID_HTTP_BODY_TOO_LARGE']),
  ...mapCodes('invalid_parameter', 415, ['VID_HTTP_MEDIA_TYPE']),
  ...mapCodes('invalid_parameter', 416, ['VID_HTTP_RANGE']),
  ...mapCodes('invalid_parameter', 417, ['VID_HTTP_EXPECTATION']),
  ...mapCodes('invalid_parameter', 431, ['VID_HTTP_HEADERS_TOO_LARGE']),
  ...mapCodes('vid_project_invalid', 400, ['VID_CLOUD_PROJECT_INVALID', 'VID_CLOUD_PROJECT_ADDRESS']),
  ...mapCodes('vid_project_invalid', 400, ['VID_ZIP_INVALID', 'VID_ZIP_DAMAGED', 'VID_ZIP_NAME', 'VID_ZIP_KIND']),
  ...mapCodes('vid_project_invalid', 400, ['VID_ZIP_COLLISION', 'VID_ZIP_ENCRYPTED', 'VID_ZIP_METHOD']),
  ...mapCodes('vid_project_invalid', 400, ['VID_ZIP_OVERLAP', 'VID_ZIP_DEPTH']),
  ...mapCodes('vid_project_too_large', 400, ['VID_ZIP_ENTRIES', 'VID_ZIP_FILE_BYTES', 'VID_ZIP_BYTES']),
  ...mapCodes('vid_project_too_large', 400, ['VID_ZIP_RATIO', 'VID_CLOUD_PROJECT_BYTES']),
  ...mapCodes('unauthorized', 401, ['VID_HTTP_UNAUTHORIZED'], {
    message: 'The request carries no credential that this server knows.',
    hint: 'Send a key of your account as x-api-key, or an access token as Authorization: Bearer.',
  }),
  ...mapCodes('forbidden', 403, ['VID_HTTP_ORIGIN', 'VID_CLOUD_ADDRESS_EXPIRED', 'VID_CLOUD_METRICS_CLOSED']),
  ...mapCodes('forbidden', 403, ['VID_CLOUD_QUOTA', 'VID_CLOUD_PROJECTS_FULL']),
  ...mapCodes('forbidden', 421, ['VID_HTTP_HOST']),
  ...mapCodes('not_found', 404, ['VID_HTTP_NOT_FOUND', 'VID_CLOUD_UPLOAD_UNKNOWN', 'VID_CLOUD_PUBLICATION_UNKNOWN']),
  ...mapCodes('asset_not_found', 404, ['VID_CLOUD_ASSET_UNKNOWN']),
  ...mapCodes('asset_not_found', 404, ['VID_CLOUD_PROJECT_LOST'], {
    message: 'The project of the asset is no longer on the server.',
    hint: 'Upload it again.',
  }),
  ...mapCodes('vid_render_not_found', 404, ['VID_CLOUD_RENDER_UNKNOWN']),
  ...mapCodes('idempotency_conflict', 409, ['VID_CLOUD_KEY_CONFLICT']),
  ...mapCodes('request_in_progress', 409, ['VID_CLOUD_KEY_IN_USE']),
  ...mapCodes('request_in_progress', 409, ['VID_CLOUD_KEY_TAKEN_OVER'], {
    message: 'Another request with the same Idempotency-Key replaced this one.',
    hint: 'Send it again after the time in Retry-After to get the reply of that request.',
  }),
  ...mapCodes('rate_limit_exceeded', 429, ['VID_HTTP_TOO_MANY', 'VID_CLOUD_RATE', 'VID_CLOUD_CREDENTIALS_RATE']),
  ...mapCodes('rate_limit_exceeded', 429, ['VID_CLOUD_OPEN_RENDERS', 'VID_CLOUD_UPLOADS_OPEN']),
  ...mapCodes('internal_error', 500, ['VID_HTTP_FAILED'], {
    message: 'The server failed to answer.',
    hint: `${later} The operator finds the reason in the log, under the id of the request.`,
  }),
  ...mapCodes('unavailable', 503, ['VID_CLOUD_DATABASE_AWAY'], {
    message: 'The database of the server cannot be reached at the moment.',
    hint: later,
  }),
  ...mapCodes('unavailable', 503, ['VID_CLOUD_DATABASE_BUSY'], {
    message: 'The server is busy at the moment.',
    hint: 'Try again after the time in Retry-After.',
  }),
  ...mapCodes('unavailable', 503, ['VID_CLOUD_DATABASE_LACKS'], {
    message: 'The database of the server cannot store anything at the moment.',
    hint: later,
  }),
  ...mapCodes('unavailable', 503, ['VID_CLOUD_NOT_READY'], {
    message: 'A part of the server does not work at the moment; param names it.',
    hint: later,
  }),
  ...mapCodes('unavailable', 503, ['VID_CLOUD_STORAGE'], {
    message: 'The storage of the server does not work at the moment.',
    hint: later,
  }),
  ...mapCodes('unavailable', 503, ['VID_CLOUD_SPACE_FULL'], {
    message: 'The server has no space left for uploads at the moment.',
    hint: 'Try again after the time in Retry-After.',
  }),
  ...mapCodes('unavailable', 503, ['VID_SERVER_STOPPING'], {
    message: 'The server is stopping and takes no new work.',
    hint: later,
  }),
])

/** The API's code for an error that is not listed, by the status of its fault. */
const codeOfStatus = (status: number): CloudErrorCode => {
  if (status === 503) return 'unavailable'
  return status >= 500 ? 'internal_error' : 'invalid_parameter'
}

const SILENT: ClientErrorText = { message: 'The server failed to answer.', hint: later }

/** The client's text for an error whose own message may name the machine: any fault but the caller's. */
const wordsOf = ({ code, fault }: VidError): ClientErrorText | undefined =>
  apiErrors.get(code)?.words ?? (fault === 'caller' ? undefined : SILENT)

/** Path of the page that explains error codes. */
export const ERRORS_PATH = '/docs/errors'

/** How the API formats errors; replies never name the server's `folders`. */
export const createErrorFormat = (publicUrl: () => string, folders: readonly string[]) => ({
  schema: CloudErrorSchema,
  statuses: Object.fromEntries([...apiErrors].map(([vidCode, { status }]) => [vidCode, status])),
  describe: createReplyText(folders, wordsOf).describe,
  envelope: ({ code: vidCode, status, field, ...text }: BareErrorReply): CloudErrorReply => {
    const code = apiErrors.get(vidCode)?.code ?? codeOfStatus(status)
    return {
      error: {
        code,
        message: inOneText(text),
        param: field ?? null,
        doc_url: `${publicUrl()}${ERRORS_PATH}#${code}`,
      },
    }
  },
})
