import { backOff, retry } from '@vid/system'
import { isAway } from './database.ts'

/**
 * Repeats work until the database can be reached. A statement whose connection ended may have been carried out: the work
 * must do no harm when it is done twice.
 */
export const untilReachable = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  retry(work, { signal, may: isAway, delays: backOff({ firstMs: 100, maxMs: 2000 }) })
