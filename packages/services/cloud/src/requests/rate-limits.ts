import { fail } from '../errors.ts'
import type { RequestCounts } from './request-counts.ts'

const MINUTE_MS = 60_000

/** Counts events of this process by name within the current minute. */
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
 * Enforces limits per minute: for an account across all processes, and for a client address without a credential in
 * this process.
 */
export const createRateLimits = (
  counts: RequestCounts,
  limits: { readonly publicRequestsPerMinute: number; readonly wrongCredentialsPerMinute: number },
) => {
  const requests = createCounter()
  const wrong = createCounter()
  return {
    /** Counts a request of an account. */
    async account(accountId: string): Promise<void> {
      const { count, limit } = await counts.add(accountId)
      if (count > limit) throw fail('VID_CLOUD_RATE', { limit, retryAfterSeconds: secondsLeft() })
    },
    /** Counts a request without a credential. */
    address(address: string): void {
      const limit = limits.publicRequestsPerMinute
      if (requests.add(address) > limit) throw fail('VID_CLOUD_RATE', { limit, retryAfterSeconds: secondsLeft() })
    },
    /**
     * Counts a request with a wrong credential. Valid credentials from the same address are never refused for it:
     * credentials are too long to guess, and many clients may share the address of a proxy.
     */
    wrongCredential(address: string): void {
      if (wrong.add(address) > limits.wrongCredentialsPerMinute)
        throw fail('VID_CLOUD_CREDENTIALS_RATE', { retryAfterSeconds: secondsLeft() })
    },
  }
}

/** Enforces request limits. */
export type RateLimits = ReturnType<typeof createRateLimits>
