import { fail } from '../errors.ts'
import type { LambdaContext } from './lambda-context.ts'

/** Time reserved for closing browsers, removing work objects and writing the end record, in milliseconds. */
const LAST_MS = 15_000
/** Share of the time limit that is enough if the limit is short. */
const LAST_SHARE = 0.1

/** The remaining time of a call. */
export interface Deadline {
  /** Aborts shortly before Lambda ends the call. */
  readonly signal: AbortSignal
  /** When Lambda ends the call, in milliseconds since 1970. */
  readonly endsMs: number
  clear(): void
}

/** Starts the timer of a call. */
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
