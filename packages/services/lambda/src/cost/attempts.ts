import type { CallEnd, CallRecord, FunctionCall } from '../contract/call-records.ts'

/** Longest start of an environment before its first call that Lambda allows; billed, in milliseconds. */
const START_MS = 10_000

/** A call of the function according to its records. */
export interface Attempt {
  readonly call: FunctionCall
  /** Left out if its first record is missing. */
  readonly startedMs?: number
  /** Left out while it runs, and if it was killed. */
  readonly end?: CallEnd
}

/** The part of a render that a call works on: another call for the same part is another attempt. */
const partOf = ({ renderId, action, chunk }: FunctionCall): string => `${renderId}/${action}/${chunk}`

/** The calls in the records of renders, without duplicates. */
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

/** Time limits that apply to calls without an end. */
export interface CallLimits {
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** When the execution ended by itself; left out while calls may still run. */
  readonly endedMs?: number
  readonly timeoutMs: number
}

/** Billed time of an attempt. */
export interface BilledTime {
  readonly billedMs: number
  readonly state: 'done' | 'failed' | 'running' | 'lost'
}

/** When the next attempt at the same part started; missing for the last attempts. */
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
    // S3 reports whole seconds: of two that started in the same second, the one with an end came later.
    attemptsOfPart.sort((a, b) => (a.startedMs ?? 0) - (b.startedMs ?? 0) || Number(!!a.end) - Number(!!b.end))
    for (const [index, attempt] of attemptsOfPart.entries()) {
      const later = attemptsOfPart[index + 1]?.startedMs
      if (later !== undefined) next.set(attempt, later)
    }
  }
  return next
}

/**
 * Billed time of an attempt. If its end is unknown, it counts until the next attempt at the same part, its timeout or
 * the end of the execution, whichever is first: an upper bound.
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
