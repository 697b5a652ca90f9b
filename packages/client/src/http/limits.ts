/** How long a client waits, in milliseconds. */
export interface HttpLimits {
  /** For a connection. */
  readonly connectMs: number
  /** For the beginning of a reply. */
  readonly replyMs: number
  /** Without a byte arriving or leaving. */
  readonly idleMs: number
  /** While a server that has answered before is away, such as during its restart. */
  readonly awayMs: number
  /** While the server takes no more, which it says by 429. */
  readonly fullMs: number
  /** While the server reports an internal error (status 500). */
  readonly brokenMs: number
}
