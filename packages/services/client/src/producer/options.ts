import type { HttpLimits } from '../http/limits.ts'

/** Options of the connection to a render server. */
export interface ProducerClientOptions {
  /** Its address, such as `https://render.example.com`; may end in a path. */
  readonly url: string
  /** Sent as a bearer token; never part of an error. */
  readonly token?: string | undefined
  /** Allows http to other machines, for private networks: everyone on the network can read the token. */
  readonly insecure?: boolean | undefined
  readonly limits?: Partial<ClientLimits> | undefined
}

/** Time limits of the client of a render server, in milliseconds; the server sends a heartbeat every 15 s. */
export interface ClientLimits extends HttpLimits {
  /** For the server to accept a cancellation. */
  readonly cancelMs: number
  /** For the server to unpack a project. */
  readonly unpackMs: number
}

/** The default limits. */
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
