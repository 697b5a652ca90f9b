import { REFUSED_CALL_RETRY } from '../../src/contract/limits.ts'
import type { Rate } from './token-bucket.ts'

/** How a refused call of the function is tried again: seconds, as the workflow says it. */
export interface RetryRule {
  readonly intervalSeconds: number
  readonly backoffRate: number
  readonly maxDelaySeconds: number
  readonly maxAttempts: number
}

/** What an account of AWS in one region allows. */
export interface AccountLimits {
  /** Calls of all functions at once, or the reserved concurrency of this one. */
  readonly concurrency: number
  /** New environments of one function. */
  readonly newEnvironments: Rate
  readonly startExecution: Rate
  /** States that all Standard executions may enter. */
  readonly stateTransitions: Rate
  /** Requests a second to one prefix of a bucket; a new bucket is one prefix until S3 has divided it. */
  readonly s3Writes: number
  readonly s3Reads: number
  readonly historyEvents: number
  readonly retry: RetryRule
}

/**
 * Defaults in North Virginia, Oregon and Ireland, as AWS documents them. Accounts that are new have less until AWS
 * raises it: see docs/lambda-scale.md.
 */
export const defaultLimits: AccountLimits = {
  concurrency: 1000,
  newEnvironments: { burst: 1000, perSecond: 100 },
  startExecution: { burst: 1300, perSecond: 300 },
  stateTransitions: { burst: 5000, perSecond: 1500 },
  s3Writes: 3500,
  s3Reads: 5500,
  historyEvents: 25_000,
  retry: REFUSED_CALL_RETRY,
}

/** Defaults in all other regions. */
export const smallRegionLimits: AccountLimits = {
  ...defaultLimits,
  startExecution: { burst: 800, perSecond: 150 },
  stateTransitions: { burst: 800, perSecond: 500 },
}

const boundless: Rate = { burst: Number.POSITIVE_INFINITY, perSecond: Number.POSITIVE_INFINITY }

/** No limits at all. */
export const noLimits: AccountLimits = {
  ...defaultLimits,
  concurrency: Number.POSITIVE_INFINITY,
  newEnvironments: boundless,
  startExecution: boundless,
  stateTransitions: boundless,
  s3Writes: Number.POSITIVE_INFINITY,
  s3Reads: Number.POSITIVE_INFINITY,
  historyEvents: Number.POSITIVE_INFINITY,
}
