import { isVidError } from '@vid/protocol'
import { backOff, countRetries, type Retries, type RetryOptions, retry } from '@vid/system'
import type { Connection } from './exchange.ts'
import type { HttpLimits } from './limits.ts'
import { refusalFacts } from './refusals.ts'

/** How long to wait for a server that has never replied, in milliseconds. */
const FIRST_CONTACT_MS = 1500

const FULL = 429
const BROKEN = 500

/** How long retries may continue after this error, in milliseconds; undefined for a permanent error. */
const limitFor = (thrown: unknown, { errors, hasAnswered }: Connection, limits: HttpLimits): number | undefined => {
  if (!isVidError(thrown)) return undefined
  const refusal = refusalFacts(thrown)
  if (refusal) {
    if (!refusal.mayPass) return undefined
    if (refusal.status === FULL) return limits.fullMs
    return refusal.status === BROKEN ? limits.brokenMs : limits.awayMs
  }
  const { code } = thrown
  if (code !== `${errors.prefix}_UNREACHABLE` && code !== `${errors.prefix}_CUT`) return undefined
  return hasAnswered() ? limits.awayMs : Math.min(limits.awayMs, FIRST_CONTACT_MS)
}

const retryDelay = backOff({ firstMs: 200, maxMs: 5000 })

/** Delays grow with each failure and are never shorter than the server's `Retry-After`. */
const retryPolicy = (connection: Connection, limits: HttpLimits): RetryOptions => ({
  may: (error) => limitFor(error, connection, limits) !== undefined,
  withinMs: (error) => limitFor(error, connection, limits) ?? 0,
  delays: (failures, error) =>
    Math.max((isVidError(error) && refusalFacts(error)?.retryAfterMs) || 0, retryDelay(failures)),
})

/** Counts the failures of work with several calls, such as a stream that resumes after a break. */
export const createRetries = (connection: Connection, limits = connection.limits): Retries =>
  countRetries(retryPolicy(connection, limits))

/** Retries work for as long as the connection's limits allow. */
export const withRetries = <T>(connection: Connection, signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  retry(work, { ...retryPolicy(connection, connection.limits), signal })
