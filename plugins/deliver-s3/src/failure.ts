import { describeCause, isVidError, type VidError } from '@vid/kernel'
import { fail } from './errors.ts'

const bucketErrors = [
  'NoSuchBucket',
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'InvalidBucketName',
  'MethodNotAllowed',
]

/** Converts an error of the client to a coded error. */
export const uploadError = (thrown: unknown, bucket: string, key: string): VidError => {
  if (isVidError(thrown)) return thrown
  const { name = '', $metadata } = thrown as Error & { $metadata?: { httpStatusCode?: number } }
  // A failed connection to several addresses has a code but no message.
  const text = describeCause(thrown) || (thrown as NodeJS.ErrnoException).code || ''
  const reason = text.includes(name) ? text : `${name}: ${text}`
  const origin = { cause: thrown }
  if (name === 'CredentialsProviderError') return fail('VID_S3_CREDENTIALS', { problem: text }, origin)
  if (bucketErrors.includes(name) || text.startsWith('Region is missing'))
    return fail('VID_S3_BUCKET', { bucket, reason }, origin)
  if ([401, 403].includes($metadata?.httpStatusCode ?? 0))
    return fail('VID_S3_DENIED', { bucket, key, reason }, origin)
  return fail('VID_S3_FAILED', { bucket, key, reason }, origin)
}
