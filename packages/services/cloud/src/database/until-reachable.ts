import { backOff, retry } from '@vid/system'
import { isAway } from './database.ts'

/**
 * Repeats work until the database is reachable. A statement may have run although its connection broke, so `work` must
 * be idempotent.
 */
export const untilReachable = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  retry(work, { signal, may: isAway, delays: backOff({ firstMs: 100, maxMs: 2000 }) })
