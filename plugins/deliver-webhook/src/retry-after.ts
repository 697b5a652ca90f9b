import { backOff } from '@vid/system'

/** Limit on the wait between two attempts. */
const MAX_WAIT_MS = 60_000

/** Milliseconds of a `Retry-After` header, which has seconds or a date; undefined when it has neither. */
export const retryAfterMs = (header: string | null, now = Date.now()): number | undefined => {
  if (header === null) return undefined
  const text = header.trim()
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** Milliseconds before the next attempt: the server's `Retry-After`, or a wait that doubles after each failure. */
export const waitMs = (failures: number, firstMs: number, askedMs: number | undefined): number =>
  Math.min(MAX_WAIT_MS, askedMs ?? backOff({ firstMs, maxMs: MAX_WAIT_MS })(failures))
