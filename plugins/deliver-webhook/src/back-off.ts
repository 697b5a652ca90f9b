/** No address makes a render wait longer than this between two attempts. */
export const LONGEST_WAIT_MS = 60_000

/** Milliseconds that a `Retry-After` asks for: seconds or a date; undefined when it says neither. */
export const retryAfterMs = (header: string | null, now = Date.now()): number | undefined => {
  if (header === null) return undefined
  const text = header.trim()
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** Milliseconds before the next attempt: what the server asks for, or twice as long each time, spread by up to a half. */
export const waitMs = (
  attempt: number,
  firstMs: number,
  asked: number | undefined,
  random = Math.random(),
): number => Math.min(LONGEST_WAIT_MS, asked ?? firstMs * 2 ** (attempt - 1) * (1 - random / 2))
