import { REFUSED_CALL_RETRY } from '../contract/limits.ts'
import type { lambdaErrors } from '../errors.ts'
import { finalErrors } from './final-errors.ts'
import type { Retrier } from './states.ts'

const ownCodes = (...codes: readonly (keyof typeof lambdaErrors)[]): readonly string[] => codes

/** Retried errors, grouped by cause; an error in several entries belongs to the first. */
export const retriers = {
  /** The account has reached its concurrency limit: retry for hours until other calls end. */
  throttled: {
    ErrorEquals: ['Lambda.TooManyRequestsException'],
    IntervalSeconds: REFUSED_CALL_RETRY.intervalSeconds,
    BackoffRate: REFUSED_CALL_RETRY.backoffRate,
    MaxDelaySeconds: REFUSED_CALL_RETRY.maxDelaySeconds,
    MaxAttempts: REFUSED_CALL_RETRY.maxAttempts,
    JitterStrategy: 'FULL',
  },
  /**
   * Another render of the batch is encoding the same segment, or a segment to publish is not finished: retry for longer
   * than a call can take.
   */
  claimed: {
    ErrorEquals: ownCodes('VID_LAMBDA_SEGMENT_CLAIMED', 'VID_LAMBDA_STREAM_WAITS'),
    IntervalSeconds: 10,
    BackoffRate: 1.5,
    MaxDelaySeconds: 90,
    MaxAttempts: 60,
    JitterStrategy: 'FULL',
  },
  /** Lambda itself failed. */
  service: {
    ErrorEquals: [
      'Lambda.ServiceException',
      'Lambda.AWSLambdaException',
      'Lambda.SdkClientException',
      'Lambda.ClientExecutionTimeoutException',
    ],
    IntervalSeconds: 2,
    BackoffRate: 2,
    MaxAttempts: 6,
    JitterStrategy: 'FULL',
  },
  /** The work took too long, and most likely will again. */
  late: {
    ErrorEquals: [...ownCodes('VID_LAMBDA_DEADLINE'), 'Sandbox.Timedout', 'States.Timeout'],
    IntervalSeconds: 5,
    MaxAttempts: 1,
    JitterStrategy: 'FULL',
  },
  /** The environment ended because of a fault of Lambda or a lack of memory. */
  killed: {
    ErrorEquals: ['Lambda.Unknown', 'Runtime.ExitError', 'Runtime.OutOfMemory'],
    IntervalSeconds: 5,
    BackoffRate: 2,
    MaxAttempts: 2,
    JitterStrategy: 'FULL',
  },
  /** Machine errors, and errors that are not listed here. */
  other: {
    ErrorEquals: ['States.ALL'],
    IntervalSeconds: 5,
    BackoffRate: 3,
    MaxAttempts: 3,
    JitterStrategy: 'FULL',
  },
} satisfies Readonly<Record<string, Retrier>>

/** How each call of the function is retried: the first entry that names an error applies. */
export const callRetriers: readonly Retrier[] = [
  { ErrorEquals: finalErrors, MaxAttempts: 0 },
  retriers.throttled,
  retriers.claimed,
  retriers.service,
  retriers.late,
  retriers.killed,
  retriers.other,
]
