import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { fail } from './errors.ts'

/** Timeout for connecting, in milliseconds. */
const CONNECT_MS = 10_000

/** Keys of an account; those of the AWS environment if left out. */
export interface S3Credentials {
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
  readonly sessionToken?: string | undefined
}

/** The server, the credentials and the timeouts of a client. */
export interface S3ClientOptions extends S3Credentials {
  /** Default: region of the AWS environment; for another server `us-east-1`. */
  readonly region?: string | undefined
  /** Address of a server other than AWS. Precedence: this option > AWS_ENDPOINT_URL_S3 > AWS_ENDPOINT_URL > AWS. */
  readonly endpoint?: string | undefined
  /** Puts the bucket into the path instead of the host name; the default for a server other than AWS. */
  readonly forcePathStyle?: boolean | undefined
  /** Attempts per request; default 5. */
  readonly attempts?: number | undefined
  /** Milliseconds to wait for a reply, and for each further byte of it; default 60,000. */
  readonly timeoutMs?: number | undefined
  /** Maximum number of connections; default 64. */
  readonly maxSockets?: number | undefined
}

/**
 * Checks the credentials in the options; undefined to use those of the AWS environment. Fails with VID_S3_CREDENTIALS
 * if a part is missing.
 */
export const checkCredentials = ({ accessKeyId, secretAccessKey, sessionToken }: S3Credentials) => {
  if (accessKeyId === undefined && secretAccessKey === undefined && sessionToken === undefined) return undefined
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw fail('VID_S3_CREDENTIALS', {
      problem: `${accessKeyId === undefined ? 'accessKeyId' : 'secretAccessKey'} is missing`,
    })
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}

/**
 * Creates an AWS client without the library's notice about old Node versions: it is meant for the package that depends
 * on the library, and vid's users can do nothing about it.
 */
export const withoutNotice = <T>(make: () => T): T => {
  const name = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'
  const previous = process.env[name]
  process.env[name] = 'true'
  try {
    return make()
  } finally {
    if (previous === undefined) delete process.env[name]
    else process.env[name] = previous
  }
}

/** Creates a client that retries each request; the caller destroys it. */
export const createS3Client = async (options: S3ClientOptions = {}): Promise<S3Client> => {
  const { region, endpoint, forcePathStyle, attempts = 5, timeoutMs = 60_000, maxSockets = 64 } = options
  const credentials = checkCredentials(options)
  const { S3Client } = await import('@aws-sdk/client-s3')
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_DEFAULT_REGION } = process.env
  // The library reads these variables itself; here they only show that the server is not AWS.
  const isOther = [endpoint, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL].some(Boolean)
  const config: S3ClientConfig = {
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: Math.min(timeoutMs, CONNECT_MS),
      requestTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
    // Other servers don't support the checksums that the client adds for AWS; the signature also covers the bytes.
    ...(isOther && {
      forcePathStyle: true,
      region: AWS_REGION || AWS_DEFAULT_REGION || 'us-east-1',
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    ...(endpoint !== undefined && { endpoint }),
    ...(forcePathStyle !== undefined && { forcePathStyle }),
    ...(region !== undefined && { region }),
    ...(credentials && { credentials }),
  }
  return withoutNotice(() => new S3Client(config))
}
