/** Limit on the wait between two attempts, in milliseconds. */
export const MAX_WAIT_MS = 60_000

/** Milliseconds of a `Retry-After` header, which has seconds or a date; undefined when it has neither. */
export const retryAfterMs = (header: string | null, now = Date.now()): number | undefined => {
  if (header === null) return undefined
  const text = header.trim()
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** Milliseconds before the next attempt: the server's `Retry-After`, or exponential back-off with up to 50 % jitter. */
export const waitMs = (
  attempt: number,
  firstMs: number,
  retryAfter: number | undefined,
  random = Math.random(),
): number => Math.min(MAX_WAIT_MS, retryAfter ?? firstMs * 2 ** (attempt - 1) * (1 - random / 2))
