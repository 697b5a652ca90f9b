import { describeCause, isVidError, type VidError } from '@vid/protocol'
import type { AwsAction } from './aws-actions.ts'
import { fail } from './errors.ts'

/** A request to AWS: the permission that it needs and its subject. */
export interface AwsRequest {
  readonly action: AwsAction
  /** The resource with its name or ARN: `the stack vid-render`. */
  readonly subject: string
}

const NO_CREDENTIALS: readonly string[] = [
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignature',
  'IncompleteSignatureException',
  'InvalidAccessKeyId',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'MissingAuthenticationToken',
  'MissingAuthenticationTokenException',
  'SignatureDoesNotMatch',
  'TokenProviderError',
  'UnrecognizedClientException',
]
const DENIED: readonly string[] = ['AccessDenied', 'AccessDeniedException', 'UnauthorizedOperation']
const THROTTLED: readonly string[] = [
  'RequestLimitExceeded',
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'TooManyRequestsException',
]
const NOT_FOUND: readonly string[] = [
  'ExecutionDoesNotExist',
  'NoSuchBucket',
  'NoSuchKey',
  'NotFound',
  'ResourceNotFound',
  'ResourceNotFoundException',
  'StateMachineDoesNotExist',
]
const UNREACHABLE: readonly string[] = [
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'NetworkingError',
  'TimeoutError',
]

type ClientError = Error & {
  readonly code?: string
  readonly Code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** The name of an AWS client error: its code if it has one. */
export const awsErrorName = (thrown: unknown): string => {
  const { name = '', code, Code } = (thrown ?? {}) as Partial<ClientError>
  return (
    [name, Code, code].find((candidate) => candidate !== undefined && candidate !== '' && candidate !== 'Error') ?? ''
  )
}

/** The message of AWS about a failed request; the error's name only as a last resort, because it says less. */
const reasonOf = (thrown: unknown): string => {
  // A connection that failed to several addresses has no message, and the reply to a HEAD request has no text.
  const text = describeCause(thrown)
  if (text === '' || /^Unknown(Error)?$/.test(text))
    return awsErrorName(thrown) || `the answer had the status ${(thrown as ClientError).$metadata?.httpStatusCode}`
  return text
}

/** Converts an AWS client error to a coded error that names the failed action. */
export const awsError = (thrown: unknown, { action, subject }: AwsRequest): VidError => {
  if (isVidError(thrown)) return thrown
  const { code = '', $metadata } = (thrown ?? {}) as Partial<ClientError>
  const is = (names: readonly string[]) => names.includes(awsErrorName(thrown)) || names.includes(code)
  const status = $metadata?.httpStatusCode
  const reason = reasonOf(thrown)
  const origin = { cause: thrown }
  if (reason.includes('Region is missing')) return fail('VID_AWS_REGION', {}, origin)
  if (is(NO_CREDENTIALS)) return fail('VID_AWS_CREDENTIALS', { reason }, origin)
  if (is(DENIED) || (status === 403 && !is(THROTTLED)))
    return fail('VID_AWS_DENIED', { action, subject, reason }, origin)
  if (is(THROTTLED) || status === 429) return fail('VID_AWS_THROTTLED', { action, reason }, origin)
  if (is(NOT_FOUND)) return fail('VID_AWS_NOT_FOUND', { subject, reason }, origin)
  if (is(UNREACHABLE)) return fail('VID_AWS_UNREACHABLE', { action, reason }, origin)
  return fail('VID_AWS_FAILED', { action, subject, reason }, origin)
}

/** Runs a request to AWS; rejects with a coded error, or with the signal's reason if it aborted. */
export const askAws = async <T>(
  request: AwsRequest,
  signal: AbortSignal | undefined,
  work: (options: { readonly abortSignal?: AbortSignal }) => Promise<T>,
): Promise<T> => {
  signal?.throwIfAborted()
  try {
    return await work(signal ? { abortSignal: signal } : {})
  } catch (thrown) {
    signal?.throwIfAborted()
    throw awsError(thrown, request)
  }
}
