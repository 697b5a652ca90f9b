const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** How long things are kept that nobody needs any more. */
export interface SweepSettings {
  /** How often one of the processes sweeps. */
  readonly everyMs: number
  /** From the deletion of a render until its files go. */
  readonly purgeAfterMs: number
  /** From then until its row goes. */
  readonly forgetAfterMs: number
  /** Age at which objects go that belong to nothing: those of a process that was killed, say. */
  readonly orphanAfterMs: number
  /** From the last use of an asset until it goes. */
  readonly assetTtlMs: number
  /** How long a reply is kept for the requests that repeat its Idempotency-Key. */
  readonly replyTtlMs: number
  /** Most bytes of finished segments that are kept for later renders. */
  readonly segmentBytes: number
}

/** The times of a server that says nothing else. */
export const sweepDefaults: SweepSettings = {
  everyMs: 60_000,
  purgeAfterMs: HOUR_MS,
  forgetAfterMs: 30 * DAY_MS,
  orphanAfterMs: DAY_MS,
  assetTtlMs: 30 * DAY_MS,
  replyTtlMs: DAY_MS,
  segmentBytes: 50 * 2 ** 30,
}
