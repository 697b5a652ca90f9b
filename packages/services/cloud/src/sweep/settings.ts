const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** How long unused data is kept. */
export interface SweepSettings {
  /** Interval between sweeps; one process runs each sweep. */
  readonly everyMs: number
  /** Interval between sweeps that list all objects of the storage, a thousand a request. */
  readonly listEveryMs: number
  /** Time between the deletion of a render and the removal of its files. */
  readonly purgeAfterMs: number
  /** Time from then until the row is removed. */
  readonly forgetAfterMs: number
  /** Age at which orphaned objects are removed, such as those of a killed process. */
  readonly orphanAfterMs: number
  /** Time between the last use of an asset and its removal. */
  readonly assetTtlMs: number
  /** How long results are kept after the end of their render, unless their account says otherwise; null for ever. */
  readonly resultTtlMs: number | null
  /** Time from the end of a render until its usage is added to that of the month. */
  readonly usageAfterMs: number
  /** How long a reply is kept for repeated requests with its Idempotency-Key. */
  readonly replyTtlMs: number
  /** Limit on the size of finished segments kept for later renders, in bytes. */
  readonly segmentBytes: number
}

/** The default times. */
export const sweepDefaults: SweepSettings = {
  everyMs: 60_000,
  listEveryMs: HOUR_MS / 4,
  purgeAfterMs: HOUR_MS,
  forgetAfterMs: 30 * DAY_MS,
  orphanAfterMs: DAY_MS,
  assetTtlMs: 30 * DAY_MS,
  resultTtlMs: null,
  usageAfterMs: HOUR_MS,
  replyTtlMs: DAY_MS,
  segmentBytes: 50 * 2 ** 30,
}
