/** Something expensive to start that renders can use one after another, such as a browser. */
export interface Shareable {
  close(): Promise<void>
}

/** A shared resource, as its holder sees it. */
export interface Lease<T> {
  readonly value: T
  /** Returns it to the pool for the next holder. */
  release(): void
  /** Removes it from the pool: it is closed once its last holder has released or discarded it. */
  discard(): Promise<void>
}

/** Shares expensive resources between renders, and closes them all at the end. */
export interface SharedPool {
  /**
   * An idle resource of that `key`, else a new one from `open`, whose signal aborts when the pool closes. A pool at
   * its limit shares one resource among several holders.
   */
  acquire<T extends Shareable>(key: string, open: (signal: AbortSignal) => Promise<T>): Promise<Lease<T>>
  /** Starts a resource that the next holder of its key will get, unless one is idle or the pool is at its limit. */
  prepare(key: string, open: (signal: AbortSignal) => Promise<Shareable>): void
  close(): Promise<void>
}
