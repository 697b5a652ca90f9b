/** What one request and one connection may take. */
export interface Limits {
  /** Bytes of a body; a route may set its own `bodyLimit`. */
  readonly bodyBytes: number
  readonly headerBytes: number
  /** Time for the headers of a request to arrive. */
  readonly headersTimeoutMs: number
  /** Time for a whole request to arrive; how long the answer takes does not count. */
  readonly requestTimeoutMs: number
  /** Time without a byte of a body, after which the request is cut. */
  readonly bodyStallTimeoutMs: number
  /** Least bytes a second of a body that takes longer than that. */
  readonly minBodyBytesPerSecond: number
  /** Time that an idle connection stays open. */
  readonly keepAliveTimeoutMs: number
  /** Time without a byte moving, after which a client that does not read its reply is cut off. */
  readonly stallTimeoutMs: number
  /** How often the times of requests are looked at. */
  readonly checkIntervalMs: number
  /** Above this number, an unauthenticated connection is closed for each new one. */
  readonly maxConnections: number
  /** Requests of one owner that are answered at the same time; a token or an account is one. */
  readonly maxRequestsPerOwner: number
  readonly maxRequestsPerConnection: number
}

/** The limits of a server that sets none. */
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
