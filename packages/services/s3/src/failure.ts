import { describeCause, isVidError, type VidError } from '@vid/protocol'
import { fail, type S3Action, s3Actions } from './errors.ts'

const BUCKET_ERRORS: readonly string[] = [
  'NoSuchBucket',
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'InvalidBucketName',
  'MethodNotAllowed',
]
const TOKEN_ERRORS: readonly string[] = ['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired']

type ClientError = Error & {
  readonly code?: string
  /** Set by errors of the file system. */
  readonly path?: string
  readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number }
}

const nameOf = (thrown: unknown): string => String((thrown as Partial<ClientError> | null)?.name ?? '')

/** Whether an error says that the object does not exist. */
export const isNoObject = (thrown: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(nameOf(thrown))

/** Whether an error says that a condition of the request failed, or that another request is changing the object. */
export const isConditionFailed = (thrown: unknown): boolean =>
  ['PreconditionFailed', 'ConditionalRequestConflict'].includes(nameOf(thrown)) ||
  (thrown as Partial<ClientError> | null)?.$metadata?.httpStatusCode === 412

/** Whether a request was sent more than once, so that an earlier attempt may have succeeded without a reply. */
export const wasRepeated = (thrown: unknown): boolean =>
  ((thrown as Partial<ClientError> | null)?.$metadata?.attempts ?? 1) > 1

/** Why a request failed, in one line. */
export const s3Reason = (thrown: unknown): string => {
  const { code = '', $metadata } = (thrown ?? {}) as Partial<ClientError>
  const name = nameOf(thrown)
  // A failed connection to several addresses has a code but no message, and the reply to a HEAD request has no text.
  const cause = describeCause(thrown) || code
  const text = /^Unknown(Error)?$/.test(cause) ? `the server answered ${$metadata?.httpStatusCode}` : cause
  return text.includes(name) || name === 'Error' ? text : `${name}: ${text}`
}

/** Converts an error of the client to a coded error. */
export const s3Error = (
  thrown: unknown,
  { action, bucket, key }: { readonly action: S3Action; readonly bucket: string; readonly key: string },
): VidError => {
  if (isVidError(thrown)) return thrown
  const { $metadata, code, path } = (thrown ?? {}) as Partial<ClientError>
  const name = nameOf(thrown)
  const reason = s3Reason(thrown)
  const origin = { cause: thrown }
  const { done, permissions } = s3Actions[action]
  if (code !== undefined && path !== undefined) return fail('VID_S3_FILE', { path, reason }, origin)
  if (name === 'CredentialsProviderError') return fail('VID_S3_CREDENTIALS', { problem: describeCause(thrown) }, origin)
  // The reply to a HEAD request does not name the error.
  const isElsewhere = $metadata?.httpStatusCode === 301
  if (BUCKET_ERRORS.includes(name) || isElsewhere || describeCause(thrown).startsWith('Region is missing'))
    return fail('VID_S3_BUCKET', { bucket, reason }, origin)
  if (TOKEN_ERRORS.includes(name) || [401, 403].includes($metadata?.httpStatusCode ?? 0))
    return fail('VID_S3_DENIED', { action, permissions, bucket, key, reason }, origin)
  return fail('VID_S3_FAILED', { done, bucket, key, reason }, origin)
}
