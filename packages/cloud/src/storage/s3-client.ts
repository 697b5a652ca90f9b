import type { S3Client } from '@aws-sdk/client-s3'

/** Attempts of each request. */
const ATTEMPTS = 5
const CONNECT_MS = 5_000
/** Longest time without a byte on a connection. */
const SILENT_MS = 60_000
/** Connections of one process: renders, uploads and clients share them. */
const MAX_SOCKETS = 64

/** Which server a client speaks to. */
export interface S3ClientOptions {
  readonly region: string | undefined
  readonly endpoint: string | undefined
}

/** Makes a client that retries each request, with the credentials of the AWS environment; the caller destroys it. */
export const createS3Client = async ({ region, endpoint }: S3ClientOptions): Promise<S3Client> => {
  const { S3Client } = await import('@aws-sdk/client-s3')
  // The library reads these by itself; that they are not AWS decides about the rest.
  const isOwn = [endpoint, process.env.AWS_ENDPOINT_URL_S3, process.env.AWS_ENDPOINT_URL].some(Boolean)
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env
  return new S3Client({
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: SILENT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
    // Other servers do not support the checksums that the client adds for AWS; the signature also covers the bytes.
    ...(isOwn && {
      forcePathStyle: true,
      region: AWS_REGION || AWS_DEFAULT_REGION || 'us-east-1',
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
  })
}
