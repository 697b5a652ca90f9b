/** Time limits of a client, in milliseconds. */
export interface HttpLimits {
  /** For connecting. */
  readonly connectMs: number
  /** For the start of a reply. */
  readonly replyMs: number
  /** Without a byte sent or received. */
  readonly idleMs: number
  /** While a server that has replied before is unreachable, such as during its restart. */
  readonly awayMs: number
  /** While the server is full (status 429). */
  readonly fullMs: number
  /** While the server reports an internal error (status 500). */
  readonly brokenMs: number
}
