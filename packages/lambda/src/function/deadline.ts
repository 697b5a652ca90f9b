import { fail } from '../errors.ts'
import type { LambdaContext } from './lambda-context.ts'

/** Time to close browsers, remove work and write the record of the end, in milliseconds. */
const LAST_MS = 15_000
/** A part of a short time limit that is enough for it. */
const LAST_SHARE = 0.1

/** The time that a call has left. */
export interface Deadline {
  /** Aborts soon before Lambda ends the call. */
  readonly signal: AbortSignal
  /** When Lambda ends the call, in milliseconds since 1970. */
  readonly endsMs: number
  clear(): void
}

/** Starts to watch the time of a call. */
export const startDeadline = (context: LambdaContext): Deadline => {
  const leftMs = context.getRemainingTimeInMillis()
  const stop = new AbortController()
  const seconds = Math.round(leftMs / 1000)
  const workMs = Math.max(0, leftMs - Math.min(LAST_MS, leftMs * LAST_SHARE))
  const timer = setTimeout(
    () => stop.abort(new Error('the time is over', { cause: fail('VID_LAMBDA_DEADLINE', { seconds }) })),
    workMs,
  )
  return { signal: stop.signal, endsMs: Date.now() + leftMs, clear: () => clearTimeout(timer) }
}
