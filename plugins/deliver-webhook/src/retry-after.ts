import { backOff } from '@vid/system'

/** Longest delay between two attempts. */
const MAX_WAIT_MS = 60_000

/** Parses a `Retry-After` header, in seconds or as a date, to milliseconds; undefined if it is neither. */
export const retryAfterMs = (header: string | null, now = Date.now()): number | undefined => {
  if (header === null) return undefined
  const text = header.trim()
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** Milliseconds before the next attempt: the server's `Retry-After`, or a delay that doubles after each failure. */
export const waitMs = (failures: number, firstMs: number, askedMs: number | undefined): number =>
  Math.min(MAX_WAIT_MS, askedMs ?? backOff({ firstMs, maxMs: MAX_WAIT_MS })(failures))
