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
const partOf = ({ renderId, action, chunk }: Call): string => `${renderId}/${action}/${chunk}`

/** The calls that the records of renders tell of, each once. */
export const attemptsOf = (records: readonly CallRecord[]): readonly Attempt[] => {
  const attempts = new Map<string, Attempt>()
  for (const { writtenMs, end, ...call } of records) {
    const id = `${partOf(call)}/${call.requestId}`
    const attempt = attempts.get(id) ?? { call }
    if (!end) attempts.set(id, { ...attempt, startedMs: writtenMs })
    else if (!attempt.end || attempt.end.billedMs < end.billedMs) attempts.set(id, { ...attempt, end })
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

/** When the next attempt at the part of each attempt started; the last ones have none. */
export const nextStarts = (attempts: readonly Attempt[]): ReadonlyMap<Attempt, number> => {
  const parts = new Map<string, Attempt[]>()
  for (const attempt of attempts) {
    if (attempt.startedMs === undefined) continue
    const part = partOf(attempt.call)
    const attemptsOfPart = parts.get(part)
    if (attemptsOfPart) attemptsOfPart.push(attempt)
    else parts.set(part, [attempt])
  }
  const next = new Map<Attempt, number>()
  for (const attemptsOfPart of parts.values()) {
    // S3 gives whole seconds: of two that started in one, that which ended came later.
    attemptsOfPart.sort((a, b) => (a.startedMs ?? 0) - (b.startedMs ?? 0) || Number(!!a.end) - Number(!!b.end))
    for (const [index, attempt] of attemptsOfPart.entries()) {
      const later = attemptsOfPart[index + 1]?.startedMs
      if (later !== undefined) next.set(attempt, later)
    }
  }
  return next
}

/**
 * Time that is paid for an attempt. One without an end counts until the next attempt at the same part, its timeout
 * or the end of the execution, whichever is first: when it was killed is not known, so that is the most it can be.
 */
export const billedTime = (
  { startedMs, end }: Attempt,
  nextMs: number | undefined,
  { nowMs, endedMs, timeoutMs }: CallLimits,
): BilledTime => {
  if (end) return { billedMs: end.billedMs, state: end.outcome === 'done' ? 'done' : 'failed' }
  const started = startedMs ?? nowMs
  const never = Number.POSITIVE_INFINITY
  const last = Math.min(nextMs ?? never, started + timeoutMs, endedMs ?? never)
  if (last > nowMs) return { billedMs: Math.max(0, nowMs - started), state: 'running' }
  return { billedMs: Math.max(0, last - started) + START_MS, state: 'lost' }
}
