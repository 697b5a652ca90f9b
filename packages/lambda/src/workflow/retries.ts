import { REFUSED_CALL_RETRY } from '../contract/limits.ts'
import type { lambdaErrors } from '../errors.ts'
import { finalErrors } from './final-errors.ts'
import type { Retrier } from './states.ts'

const ownCodes = (...codes: readonly (keyof typeof lambdaErrors)[]): readonly string[] => codes

/** Errors that are tried again, by what caused them; an error of several entries belongs to the first. */
export const retriers = {
  /** The account runs as many functions at once as it may: hours of waiting for others to end. */
  throttled: {
    ErrorEquals: ['Lambda.TooManyRequestsException'],
    IntervalSeconds: REFUSED_CALL_RETRY.intervalSeconds,
    BackoffRate: REFUSED_CALL_RETRY.backoffRate,
    MaxDelaySeconds: REFUSED_CALL_RETRY.maxDelaySeconds,
    MaxAttempts: REFUSED_CALL_RETRY.maxAttempts,
    JitterStrategy: 'FULL',
  },
  /** Another render of the batch makes the same segment: longer than a call of the function can take. */
  claimed: {
    ErrorEquals: ownCodes('VID_LAMBDA_SEGMENT_CLAIMED'),
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
  /** The work took too long: most likely it does so again. */
  late: {
    ErrorEquals: [...ownCodes('VID_LAMBDA_DEADLINE'), 'Sandbox.Timedout', 'States.Timeout'],
    IntervalSeconds: 5,
    MaxAttempts: 1,
    JitterStrategy: 'FULL',
  },
  /** The environment ended, by a fault of Lambda or for want of memory. */
  killed: {
    ErrorEquals: ['Lambda.Unknown', 'Runtime.ExitError', 'Runtime.OutOfMemory'],
    IntervalSeconds: 5,
    BackoffRate: 2,
    MaxAttempts: 2,
    JitterStrategy: 'FULL',
  },
  /** Errors of machines, and what has no name here. */
  other: {
    ErrorEquals: ['States.ALL'],
    IntervalSeconds: 5,
    BackoffRate: 3,
    MaxAttempts: 3,
    JitterStrategy: 'FULL',
  },
} satisfies Readonly<Record<string, Retrier>>

/** How each call of the function is retried: the first entry that names an error decides. */
export const retry: readonly Retrier[] = [
  { ErrorEquals: finalErrors, MaxAttempts: 0 },
  retriers.throttled,
  retriers.claimed,
  retriers.service,
  retriers.late,
  retriers.killed,
  retriers.other,
]
