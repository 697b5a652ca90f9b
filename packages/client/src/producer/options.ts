import type { HttpLimits } from '../http/limits.ts'

/** How to reach a render server. */
export interface ProducerClientOptions {
  /** Its address, such as `https://render.example.com`; may end in a path. */
  readonly url: string
  /** Sent as a bearer token; never part of an error. */
  readonly token?: string | undefined
  /** Allows http to other machines than this one, for private networks: everybody there can read the token. */
  readonly insecure?: boolean | undefined
  readonly limits?: Partial<ClientLimits> | undefined
}

/** How long the client of a render server waits, in milliseconds; it sends a heartbeat each 15 s. */
export interface ClientLimits extends HttpLimits {
  /** For the server to take a cancellation. */
  readonly cancelMs: number
  /** For the server to unpack a project. */
  readonly unpackMs: number
}

/** The limits that hold where a caller gives no others. */
export const clientLimits: ClientLimits = {
  connectMs: 10_000,
  replyMs: 60_000,
  idleMs: 45_000,
  awayMs: 120_000,
  fullMs: 600_000,
  brokenMs: 0,
  cancelMs: 4000,
  unpackMs: 600_000,
}
