import { describeCause, type Fault, isSystemFault, isVidError, Type, type VidError } from '@vid/protocol'
import { failHttp } from './errors.ts'
import { type ClientErrorText, createReplyText, fieldOf } from './reply-text.ts'
import { REQUEST_ID_PATTERN } from './request-id.ts'
import { type StatusTable, statusOf } from './status.ts'

/** An error in a reply, before it is wrapped in an envelope. */
export interface BareErrorReply extends ClientErrorText {
  readonly status: number
  readonly requestId: string
  readonly code: string
  /** Dotted path of the value to correct. */
  readonly field?: string | undefined
  readonly fault: Fault
}

/** How a server formats its errors. */
export interface ErrorFormat {
  /** Statuses by error code; for other codes, the error decides. */
  readonly statuses?: StatusTable | undefined
  /** The body of a reply; by default `{success:false, requestId, error:{code, message, field?, hint?, fault}}`. */
  readonly envelope?: ((reply: BareErrorReply) => unknown) | undefined
  /**
   * The text for a client; by default that of caller faults without this machine's paths, and a general text for other
   * faults.
   */
  readonly describe?: ((error: VidError) => ClientErrorText) | undefined
}

/** Schema of the default envelope. */
export const ErrorEnvelopeSchema = Type.Object(
  {
    success: Type.Literal(false),
    requestId: Type.String({ pattern: REQUEST_ID_PATTERN }),
    error: Type.Object({
      code: Type.String({ description: 'What went wrong, for programs; ERRORS.md lists the codes.' }),
      message: Type.String(),
      field: Type.Optional(Type.String({ description: 'Dotted path of the value to correct.' })),
      hint: Type.Optional(Type.String({ description: 'What to do.' })),
      fault: Type.Optional(
        Type.Union([Type.Literal('caller'), Type.Literal('render'), Type.Literal('machine')], {
          description: 'Whose fault it is: of the request, the composition, or the machine of the server.',
        }),
      ),
    }),
  },
  { description: 'Why a request failed.' },
)

/** The default envelope. */
export const errorEnvelope = ({ requestId, code, message, field, hint, fault }: BareErrorReply) => ({
  success: false,
  requestId,
  error: { code, message, ...(field !== undefined && { field }), ...(hint !== undefined && { hint }), fault },
})

/** Codes of other faults whose text reveals nothing about this machine. */
const PUBLIC: Readonly<Record<string, true>> = {
  VID_HTTP_FAILED: true,
  VID_SERVER_STOPPING: true,
  VID_CANCELLED: true,
}

/** Messages of other faults may quote a page's console, a program's output or a path, so they only go to the log. */
const SILENT = { render: 'the work failed on the server', machine: 'the server lacks something it needs' }

/** The default text of errors for clients. */
const defaultText = createReplyText([], ({ fault, code }) =>
  fault === 'caller' || code in PUBLIC
    ? undefined
    : { message: SILENT[fault], hint: failHttp('VID_HTTP_FAILED', {}).hint },
)

interface FrameworkError {
  readonly statusCode: number
  readonly code: string
}

/** Whether the error is Fastify's, or the body broke off; errors of other libraries have a status too. */
const isFrameworks = (thrown: unknown): thrown is FrameworkError => {
  if (!(thrown instanceof Error && 'statusCode' in thrown && 'code' in thrown)) return false
  const { code, statusCode } = thrown
  return String(code).startsWith('FST_') || (code === 'ECONNRESET' && statusCode === 400)
}

/** Whether the parser of forms found no boundary, no end, or a broken header; it has no codes. */
const isBrokenForm = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && /^Multipart: |of multipart data$|^Malformed part header$/.test(thrown.message)

/** Translates an error of Fastify or one of its plugins. */
const framework = (thrown: FrameworkError, limits: RequestLimits): VidError => {
  const origin = { cause: thrown }
  const tooMany = (parts: string) => () =>
    failHttp('VID_HTTP_FORM', { reason: `it has more ${parts} than are read` }, origin)
  const byCode: Readonly<Record<string, () => VidError>> = {
    FST_PARTS_LIMIT: tooMany('parts'),
    FST_FILES_LIMIT: tooMany('files'),
    FST_FIELDS_LIMIT: tooMany('fields'),
    FST_ERR_BAD_URL: () => failHttp('VID_HTTP_ADDRESS', {}, origin),
    FST_ERR_MAX_PARAM_LENGTH: () => failHttp('VID_HTTP_ADDRESS', {}, origin),
  }
  const byStatus: Readonly<Record<number, () => VidError>> = {
    404: () => failHttp('VID_HTTP_NOT_FOUND', {}, origin),
    413: () => failHttp('VID_HTTP_BODY_TOO_LARGE', { bytes: limits.bodyBytes }, origin),
    415: () => failHttp('VID_HTTP_MEDIA_TYPE', { found: limits.mediaType }, origin),
    429: () => failHttp('VID_HTTP_TOO_MANY', {}, origin),
  }
  const replyOf = byCode[thrown.code] ?? byStatus[thrown.statusCode]
  if (replyOf) return replyOf()
  const isClients = thrown.statusCode >= 400 && thrown.statusCode < 500
  return failHttp(isClients ? 'VID_HTTP_MALFORMED' : 'VID_HTTP_FAILED', {}, origin)
}

/** Limits that appear in messages of Fastify's errors. */
export interface RequestLimits {
  readonly bodyBytes: number
  readonly mediaType: string
}

/** Seconds after which a machine may have space or memory again. */
const LACKS_RETRY_SECONDS = 10

/** Converts anything thrown while handling a request to a coded error. */
export const codedRequestError = (thrown: unknown, limits: RequestLimits): VidError => {
  if (isVidError(thrown)) return thrown
  if (isFrameworks(thrown)) return framework(thrown, limits)
  if (isBrokenForm(thrown)) return failHttp('VID_HTTP_FORM', { reason: thrown.message }, { cause: thrown })
  if (isSystemFault(thrown)) {
    const facts = { reason: describeCause(thrown), retryAfterSeconds: LACKS_RETRY_SECONDS }
    return failHttp('VID_SERVER_LACKS', facts, { cause: thrown })
  }
  return failHttp('VID_HTTP_FAILED', {}, { cause: thrown })
}

/** The status and the body of an error's reply. */
export const errorReply = (
  error: VidError,
  requestId: string,
  { statuses, envelope = errorEnvelope, describe = defaultText.describe }: ErrorFormat,
): { readonly status: number; readonly body: unknown } => {
  const status = statusOf(error, statuses)
  const field = fieldOf(error)
  const { message, hint } = describe(error)
  const reply = { status, requestId, code: error.code, message, hint, fault: error.fault }
  return { status, body: envelope(field === undefined ? reply : { ...reply, field }) }
}
