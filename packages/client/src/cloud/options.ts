import type { HttpLimits } from '../http/limits.ts'
import type { CloudCredential, CredentialSource } from './credential.ts'

/** How to reach the hosted API. */
export interface CloudClientOptions {
  /** Its address, such as `https://api.example.com`; may end in a path. */
  readonly url: string
  readonly credential: CloudCredential | CredentialSource
  /** Allows http to other machines than this one, for private networks: everybody there can read the credential. */
  readonly insecure?: boolean | undefined
  readonly limits?: Partial<CloudLimits> | undefined
}

/** How long the client of the hosted API waits, in milliseconds. */
export interface CloudLimits extends HttpLimits {
  /** For the server to check a zip, once it has all of it. */
  readonly unpackMs: number
  /** While the server is away, busy or broken during the wait for a render. */
  readonly followMs: number
}

/** The limits that hold where a caller gives no others. */
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
