import { setTimeout as delay } from 'node:timers/promises'
import { isVidError } from '@vid/kernel'
import type { Connection } from './exchange.ts'
import type { HttpLimits } from './limits.ts'
import { refusalFacts } from './refusals.ts'

const FIRST_MS = 200
const LONGEST_MS = 5000
/** How long a server is waited for that has never answered. */
const FIRST_CONTACT_MS = 1500

const FULL = 429
const BROKEN = 500

/** Decides whether and when something is tried again. */
export interface Patience {
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

/** Waits longer after each failure, by chance a little more or less, so that clients do not come back all at once. */
export const createPatience = (connection: Connection, limits = connection.limits): Patience => {
  let tries = 0
  let sinceMs: number | undefined
  return {
    async wait(thrown, signal) {
      signal.throwIfAborted()
      const limit = limitFor(thrown, connection, limits)
      if (limit === undefined) throw thrown
      const now = performance.now()
      sinceMs ??= now
      const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** tries)
      tries += 1
      const asked = isVidError(thrown) ? refusalFacts(thrown)?.retryAfterMs : undefined
      const waitMs = Math.max(asked ?? 0, longest * (0.5 + Math.random() / 2))
      if (now - sinceMs + waitMs > limit) throw thrown
      await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    },
    reset() {
      tries = 0
      sinceMs = undefined
    },
  }
}

/** Tries again for as long as the connection's limits allow. */
export const withPatience = async <T>(
  connection: Connection,
  signal: AbortSignal,
  work: (patience: Patience) => Promise<T>,
): Promise<T> => {
  const patience = createPatience(connection)
  for (;;) {
    try {
      return await work(patience)
    } catch (thrown) {
      await patience.wait(thrown, signal)
    }
  }
}
