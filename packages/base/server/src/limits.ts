/** Limits of one request and one connection. */
export interface Limits {
  /** Largest body in bytes; a route may set its own `bodyLimit`. */
  readonly bodyBytes: number
  readonly headerBytes: number
  /** Longest time for the headers of a request to arrive. */
  readonly headersTimeoutMs: number
  /** Longest time for a whole request to arrive, excluding the reply. */
  readonly requestTimeoutMs: number
  /** Longest time between two bytes of a body. */
  readonly bodyStallTimeoutMs: number
  /** Minimum rate of a body that takes longer than that, in bytes per second. */
  readonly minBodyBytesPerSecond: number
  /** How long an idle connection stays open. */
  readonly keepAliveTimeoutMs: number
  /** Longest time without progress before a client that does not read its reply is disconnected. */
  readonly stallTimeoutMs: number
  /** Interval between checks of these times. */
  readonly checkIntervalMs: number
  /** Number of connections above which each new one closes an unauthenticated one. */
  readonly maxConnections: number
  /** Concurrent requests of one owner, which is a token or an account. */
  readonly maxRequestsPerOwner: number
  readonly maxRequestsPerConnection: number
}

/** The default limits. */
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 1024 ** 2,
  headerBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 300_000,
  bodyStallTimeoutMs: 30_000,
  minBodyBytesPerSecond: 1024,
  keepAliveTimeoutMs: 5_000,
  stallTimeoutMs: 60_000,
  checkIntervalMs: 1_000,
  maxConnections: 1_000,
  maxRequestsPerOwner: 250,
  maxRequestsPerConnection: 1_000,
}
