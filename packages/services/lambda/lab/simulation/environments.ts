import type { AccountLimits } from './account-limits.ts'
import { createTokenBucket } from './token-bucket.ts'

/** Why Lambda refuses a call. */
export type Refusal = 'concurrency' | 'newEnvironments'

/** The environments of the function: those that run a call, and those that wait for one. */
export interface Environments {
  /** Takes one for a call. An idle one is kept for ever, which Lambda does for some minutes. */
  readonly acquire: (now: number) => 'warm' | 'cold' | Refusal
  readonly release: () => void
  readonly busy: () => number
  readonly peak: () => number
}

/** No environments at first, and at most as many as the account allows. */
export const createEnvironments = ({ concurrency, newEnvironments }: AccountLimits): Environments => {
  const starts = createTokenBucket(newEnvironments)
  let busy = 0
  let idle = 0
  let peak = 0
  const occupy = () => {
    busy += 1
    peak = Math.max(peak, busy)
  }
  return {
    acquire: (now) => {
      if (busy >= concurrency) return 'concurrency'
      if (idle > 0) {
        idle -= 1
        occupy()
        return 'warm'
      }
      if (!starts.tryTake(now)) return 'newEnvironments'
      occupy()
      return 'cold'
    },
    release: () => {
      busy -= 1
      idle += 1
    },
    busy: () => busy,
    peak: () => peak,
  }
}
