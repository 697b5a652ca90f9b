import type { Call, CallEnd, CallRecord } from '../contract/call-records.ts'

/** Longest time that Lambda gives an environment to start before its first call; it is paid for. */
const START_MS = 10_000

/** A call of the function, with what its records tell. */
export interface Attempt {
  readonly call: Call
  /** Left out when its first record is lost. */
  readonly startedMs?: number
  /** Left out while it runs, and when it was killed. */
  readonly end?: CallEnd
}

/** The part of a render that a call works on: another call for the same part is another attempt. */
export const partOf = ({ renderId, action, chunk }: Call): string => `${renderId}/${action}/${chunk}`

/** The calls that the records of renders tell of, each once. */
export const attemptsOf = (records: readonly CallRecord[]): readonly Attempt[] => {
  const attempts = new Map<string, Attempt>()
  for (const { writtenMs, end, ...call } of records) {
    const id = `${partOf(call)}/${call.requestId}`
    const known = attempts.get(id) ?? { call }
    if (!end) attempts.set(id, { ...known, startedMs: writtenMs })
    else if (!known.end || known.end.billedMs < end.billedMs) attempts.set(id, { ...known, end })
  }
  return [...attempts.values()]
}

/** What is known of the time around calls. */
export interface CallLimits {
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** When the execution ended by itself; left out while calls may still run. */
  readonly endedMs?: number
  readonly timeoutMs: number
}

/** Time of an attempt that is paid for. */
export interface BilledTime {
  readonly billedMs: number
  readonly state: 'done' | 'failed' | 'running' | 'lost'
}

/** Starts of each part, in order. */
export const startsByPart = (attempts: readonly Attempt[]): ReadonlyMap<string, readonly number[]> => {
  const starts = new Map<string, number[]>()
  for (const { call, startedMs } of attempts) {
    if (startedMs === undefined) continue
    const part = partOf(call)
    const known = starts.get(part)
    if (known) known.push(startedMs)
    else starts.set(part, [startedMs])
  }
  for (const known of starts.values()) known.sort((a, b) => a - b)
  return starts
}

/**
 * Time that is paid for an attempt. One without an end counts until the next attempt at the same part, its timeout
 * or the end of the execution, whichever is first: when it was killed is not known, so that is the most it can be.
 */
export const billedTime = (
  { call, startedMs, end }: Attempt,
  starts: ReadonlyMap<string, readonly number[]>,
  { nowMs, endedMs, timeoutMs }: CallLimits,
): BilledTime => {
  if (end) return { billedMs: end.billedMs, state: end.outcome === 'done' ? 'done' : 'failed' }
  const started = startedMs ?? nowMs
  const next = starts.get(partOf(call))?.find((other) => other > started) ?? Number.POSITIVE_INFINITY
  const last = Math.min(next, started + timeoutMs, endedMs ?? Number.POSITIVE_INFINITY)
  if (last > nowMs) return { billedMs: Math.max(0, nowMs - started), state: 'running' }
  return { billedMs: Math.max(0, last - started) + START_MS, state: 'lost' }
}
