import type { CallRecord } from '../contract/call-records.ts'
import { FUNCTION_MEMORY, FUNCTION_SECONDS, FUNCTION_STORAGE, SEGMENT_FRAMES } from '../contract/limits.ts'
import { type Attempt, attemptsOf, billedTime, nextStarts } from './attempts.ts'
import { knownPrices } from './known-prices.ts'
import { type Prices, pricesOf } from './prices.ts'
import { type CallCounts, type CostParts, costOf, countS3Requests, countTransitions, isWide } from './usage.ts'

/** What the cost of calls depends on besides their records. */
export interface CostOptions {
  readonly region: string
  /** Memory of the function in MB. */
  readonly memoryMb?: number
  readonly storageMb?: number
  readonly timeoutSeconds?: number
  /** Number of files in results that are folders, if available: each file is a request. */
  readonly resultFiles?: number
  /** Custom prices in place of the list prices. */
  readonly prices?: Prices
  readonly now: Date
  /**
   * When the execution ended by itself; left out while it runs, and if it was stopped, because its calls then continue.
   */
  readonly endedAt?: Date
}

/** The cost of calls so far. */
export interface ActualCost {
  readonly usd: number
  readonly byPart: CostParts
  readonly calls: number
  readonly coldStarts: number
  /** Billed time, including failed attempts. */
  readonly billedSeconds: number
  /** The part of it for attempts that failed or were killed. */
  readonly failedSeconds: number
  /** Whether the end of a killed attempt is unknown, so that its longest possible time is included. */
  readonly isUpperBound: boolean
  /** Day on which the prices were valid. */
  readonly pricesDate: string
}

const segmentsOf = ({ call, end }: Attempt) =>
  call.action === 'segment' && end ? Math.ceil(end.frames / SEGMENT_FRAMES) : 0

const countCalls = (attempts: readonly Attempt[], files: number): CallCounts => {
  const chunks = new Map<string, number>()
  const of = (action: string) => attempts.filter(({ call }) => call.action === action)
  for (const { call } of of('segment'))
    chunks.set(call.renderId, Math.max(chunks.get(call.renderId) ?? 0, call.chunk + 1))
  return {
    executions: new Set(attempts.map(({ call }) => call.renderId)).size,
    plan: of('plan').length,
    segment: of('segment').length,
    publish: of('publish').length,
    assemble: of('assemble').length,
    abandon: of('abandon').length,
    wideChunks: [...chunks.values()].filter(isWide).reduce((sum, count) => sum + count, 0),
    segments: attempts.reduce((sum, attempt) => sum + segmentsOf(attempt), 0),
    files,
    planned: of('plan').filter(({ end }) => end?.outcome === 'done').length,
  }
}

/**
 * The cost of the calls of renders according to their records, including failed attempts. Calls refused for lack of
 * concurrency leave no record; the state transition that each costs is not included, nor are storage and transfer.
 */
export const costOfCalls = (records: readonly CallRecord[], options: CostOptions): ActualCost => {
  const { region, now, endedAt, resultFiles = 0, prices = knownPrices } = options
  const { memoryMb = FUNCTION_MEMORY, storageMb = FUNCTION_STORAGE, timeoutSeconds = FUNCTION_SECONDS } = options
  const attempts = attemptsOf(records)
  const next = nextStarts(attempts)
  const limits = {
    nowMs: now.getTime(),
    timeoutMs: timeoutSeconds * 1000,
    ...(endedAt && { endedMs: endedAt.getTime() }),
  }
  const times = attempts.map((attempt) => billedTime(attempt, next.get(attempt), limits))
  const seconds = (states: readonly string[]) =>
    times.reduce((sum, { billedMs, state }) => sum + (states.includes(state) ? billedMs : 0), 0) / 1000
  const billedSeconds = seconds(['done', 'failed', 'running', 'lost'])
  const counts = countCalls(attempts, resultFiles)
  const { writes, reads } = countS3Requests(counts)
  const usage = {
    calls: attempts.length,
    billedSeconds,
    transitions: countTransitions(counts),
    s3Writes: writes,
    s3Reads: reads,
  }
  return {
    ...costOf(usage, { memoryMb, storageMb }, pricesOf(prices, region)),
    calls: attempts.length,
    coldStarts: attempts.filter(({ end }) => end?.isCold).length,
    billedSeconds,
    failedSeconds: seconds(['failed', 'lost']),
    isUpperBound: times.some(({ state }) => state === 'lost'),
    pricesDate: prices.date,
  }
}
