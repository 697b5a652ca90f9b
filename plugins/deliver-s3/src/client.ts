import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { fail } from './errors.ts'

/** Address, credentials and limits of an S3 client. */
export interface ClientOptions {
  readonly region?: string
  readonly endpoint?: string
  readonly forcePathStyle: boolean
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  readonly sessionToken?: string
  readonly attempts: number
  readonly timeoutMs: number
}

/** The credentials of the options; undefined to use those of the AWS environment. */
export const credentialsOf = (options: ClientOptions): S3ClientConfig['credentials'] => {
  const { accessKeyId, secretAccessKey, sessionToken } = options
  if (accessKeyId === undefined && secretAccessKey === undefined && sessionToken === undefined)
    return undefined
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw fail('VID_S3_CREDENTIALS', {
      problem: `${accessKeyId === undefined ? 'accessKeyId' : 'secretAccessKey'} is missing`,
    })
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}

/** Creates a client that retries each request; the caller destroys it. */
export const openClient = async (options: ClientOptions): Promise<S3Client> => {
  const { region, endpoint, forcePathStyle, attempts, timeoutMs } = options
  const credentials = credentialsOf(options)
  const { S3Client } = await import('@aws-sdk/client-s3')
  return new S3Client({
    maxAttempts: attempts,
    forcePathStyle,
    requestHandler: {
      requestTimeout: timeoutMs,
      connectionTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
    // Other servers do not support the checksums that the client adds for AWS; the signature also covers the bytes.
    ...(endpoint !== undefined && {
      endpoint,
      region: region ?? 'us-east-1',
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    ...(region !== undefined && { region }),
    ...(credentials && { credentials }),
  })
}
