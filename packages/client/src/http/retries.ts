import { isVidError } from '@vid/kernel'
import { backOff, countRetries } from '@vid/system'
import type { Connection } from './exchange.ts'
import type { HttpLimits } from './limits.ts'
import { refusalFacts } from './refusals.ts'

/** How long a server is waited for that has never answered. */
const FIRST_CONTACT_MS = 1500

const FULL = 429
const BROKEN = 500

/** Decides whether and when something is tried again. */
export interface Retries {
  /** Waits before the next try; throws the error when another try would be one too many. */
  wait(thrown: unknown, signal: AbortSignal): Promise<void>
  /** Says that something has arrived. */
  reset(): void
}

/** How long after this error another try may still be made, in milliseconds; undefined for an error that stays. */
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

/** Waits longer after each failure, and as long as the server asks for. */
export const createRetries = (connection: Connection, limits = connection.limits): Retries => {
  const retries = countRetries({
    may: (error) => limitFor(error, connection, limits) !== undefined,
    withinMs: (error) => limitFor(error, connection, limits) ?? 0,
    delays: (failures, error) =>
      Math.max((isVidError(error) && refusalFacts(error)?.retryAfterMs) || 0, retryDelay(failures)),
  })
  return {
    wait: (error, signal) => retries.next(error, { signal }),
    reset: retries.reset,
  }
}

/** Tries again for as long as the connection's limits allow. */
export const withRetries = async <T>(
  connection: Connection,
  signal: AbortSignal,
  work: (retries: Retries) => Promise<T>,
): Promise<T> => {
  const retries = createRetries(connection)
  for (;;) {
    try {
      return await work(retries)
    } catch (thrown) {
      await retries.wait(thrown, signal)
    }
  }
}
