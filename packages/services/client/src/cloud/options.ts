import type { HttpLimits } from '../http/limits.ts'
import type { CloudCredential, CredentialSource } from './credential.ts'

/** Options of the connection to the hosted API. */
export interface CloudClientOptions {
  /** Its address, such as `https://api.example.com`; may end in a path. */
  readonly url: string
  readonly credential: CloudCredential | CredentialSource
  /** Allows http to other machines, for private networks: everyone on the network can read the credential. */
  readonly insecure?: boolean | undefined
  readonly limits?: Partial<CloudLimits> | undefined
}

/** Time limits of the client of the hosted API, in milliseconds. */
export interface CloudLimits extends HttpLimits {
  /** For the server to check a zip after it has received it. */
  readonly unpackMs: number
  /** For the server to be unreachable, busy or failing during the wait for a render. */
  readonly followMs: number
}

/** The default limits. */
export const cloudLimits: CloudLimits = {
  connectMs: 10_000,
  replyMs: 60_000,
  idleMs: 45_000,
  awayMs: 120_000,
  fullMs: 600_000,
  brokenMs: 10_000,
  unpackMs: 600_000,
  followMs: 900_000,
}
