import { fail } from '../errors.ts'
import type { RequestCounts } from './request-counts.ts'

const MINUTE_MS = 60_000

/** Counts events of this process by a name, in whole minutes. */
const createCounter = () => {
  const counts = new Map<string, number>()
  let minute = 0
  const inThisMinute = () => {
    const now = Math.floor(Date.now() / MINUTE_MS)
    if (now !== minute) counts.clear()
    minute = now
    return counts
  }
  return {
    add(name: string): number {
      const count = (inThisMinute().get(name) ?? 0) + 1
      counts.set(name, count)
      return count
    },
  }
}

/** Seconds until the next minute begins. */
const secondsLeft = (): number => Math.ceil((MINUTE_MS - (Date.now() % MINUTE_MS)) / 1000)

/**
 * Refuses requests beyond a limit for each minute: those of an account over all processes, those without a credential
 * by their address, in this process.
 */
export const createRateLimits = (
  counts: RequestCounts,
  limits: { readonly publicRequestsPerMinute: number; readonly wrongCredentialsPerMinute: number },
) => {
  const requests = createCounter()
  const wrong = createCounter()
  return {
    /** A request of an account. */
    async account(accountId: string): Promise<void> {
      const { count, limit } = await counts.add(accountId)
      if (count > limit) throw fail('VID_CLOUD_RATE', { limit, retryAfterSeconds: secondsLeft() })
    },
    /** A request without a credential. */
    address(address: string): void {
      const limit = limits.publicRequestsPerMinute
      if (requests.add(address) > limit) throw fail('VID_CLOUD_RATE', { limit, retryAfterSeconds: secondsLeft() })
    },
    /**
     * A request with a wrong credential. Right ones of the same address are never refused for it: credentials are too
     * long to be found by trying, and a proxy may give many clients one address.
     */
    wrongCredential(address: string): void {
      if (wrong.add(address) > limits.wrongCredentialsPerMinute)
        throw fail('VID_CLOUD_CREDENTIALS_RATE', { retryAfterSeconds: secondsLeft() })
    },
  }
}

/** Refuses requests beyond a limit. */
export type RateLimits = ReturnType<typeof createRateLimits>
