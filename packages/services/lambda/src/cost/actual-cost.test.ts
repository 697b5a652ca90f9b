import { expect, test } from 'vitest'
import {
  type Action,
  type CallEnd,
  type CallRecord,
  endKey,
  readCallRecord,
  startKey,
} from '../contract/call-records.ts'
import { costOfCalls } from './actual-cost.ts'

const START = Date.parse('2026-11-22T10:00:00Z')

const dateAfter = (seconds: number) => new Date(START + seconds * 1000)

const done = (billedMs: number, over: Partial<CallEnd> = {}): CallEnd => ({
  outcome: 'done',
  billedMs,
  frames: 0,
  reusedFrames: 0,
  isCold: false,
  ...over,
})

interface Written {
  readonly action?: Action
  readonly chunk?: number
  readonly id: string
  readonly from?: number
  readonly end?: CallEnd
}

/** Records as a list of the bucket gives them: read from keys, in their order. */
const recordsOf = (calls: readonly Written[]): CallRecord[] =>
  calls.flatMap(({ action = 'segment', chunk = 0, id, from, end }) => {
    const call = { renderId: 'film', action, chunk, requestId: id }
    const keys = [...(end ? [endKey(call, end)] : []), ...(from === undefined ? [] : [startKey(call)])]
    return keys.flatMap((key) => readCallRecord(key, START + (from ?? 0) * 1000) ?? [])
  })

const options = { region: 'us-east-1', now: dateAfter(10_000) }

const wholeRender = recordsOf([
  { action: 'plan', id: 'p', from: 0, end: done(4000, { isCold: true }) },
  { id: 'a', chunk: 0, from: 5, end: done(30_000, { frames: 240, isCold: true }) },
  { id: 'b', chunk: 1, from: 5, end: done(20_000, { frames: 240 }) },
  { action: 'assemble', id: 'e', from: 40, end: done(6000) },
])

test('a render costs its seconds at the price of its memory, its calls, its transitions and its requests', () => {
  const cost = costOfCalls(wholeRender, { ...options, endedAt: dateAfter(50) })
  expect(cost).toMatchObject({
    calls: 4,
    coldStarts: 2,
    billedSeconds: 60,
    failedSeconds: 0,
    isUpperBound: false,
  })
  expect(cost.byPart.compute).toBeCloseTo(60 * 10 * 0.0000166667, 12)
  expect(cost.byPart.temporaryStorage).toBeCloseTo(60 * 9.5 * 0.0000000309, 12)
  expect(cost.byPart.calls).toBeCloseTo(4 * 0.0000002, 12)
  // Start, Plan, Choice, Map, two chunks, Assemble, end.
  expect(cost.byPart.transitions).toBeCloseTo(8 * 0.000025, 12)
  expect(cost.byPart.s3Requests).toBeGreaterThan(0)
  expect(cost.usd).toBeCloseTo(
    Object.values(cost.byPart).reduce((sum, part) => sum + part, 0),
    12,
  )
  expect(cost.usd).toBeGreaterThan(0.01)
})

test('memory and /tmp change the price of a second, and 512 MB of /tmp are free', () => {
  const small = costOfCalls(wholeRender, { ...options, memoryMb: 2048, storageMb: 512 })
  expect(small.byPart.compute).toBeCloseTo(60 * 2 * 0.0000166667, 12)
  expect(small.byPart.temporaryStorage).toBe(0)
})

test('an attempt that failed counts, and its retry is one more transition', () => {
  const retried = [
    ...wholeRender,
    ...recordsOf([{ id: 'c', chunk: 1, from: 2, end: done(7000, { outcome: 'VID_X' }) }]),
  ]
  const once = costOfCalls(wholeRender, options)
  const twice = costOfCalls(retried, options)
  expect(twice).toMatchObject({ calls: 5, billedSeconds: 67, failedSeconds: 7, isUpperBound: false })
  expect(twice.byPart.transitions - once.byPart.transitions).toBeCloseTo(0.000025, 12)
})

test('a killed call counts until the next attempt at its part, with the longest start of an environment', () => {
  const records = recordsOf([
    { id: 'killed', chunk: 3, from: 0 },
    { id: 'other', chunk: 4, from: 10, end: done(1000) },
    { id: 'next', chunk: 3, from: 25, end: done(5000) },
  ])
  const cost = costOfCalls(records, { ...options, endedAt: dateAfter(60) })
  expect(cost).toMatchObject({ billedSeconds: 25 + 10 + 1 + 5, failedSeconds: 35, isUpperBound: true })
})

test('of attempts that started in the same second, that which ended came later', () => {
  const ended = { id: 'ended', from: 10, end: done(5000) }
  const killed = { id: 'killed', from: 10 }
  for (const records of [recordsOf([ended, killed]), recordsOf([killed, ended])])
    expect(costOfCalls(records, options)).toMatchObject({ billedSeconds: 5 + 10, failedSeconds: 10 })
  // Of two that were killed, one is the last, and may have run until its timeout.
  const both = recordsOf([killed, { id: 'killed-too', from: 10 }])
  expect(costOfCalls(both, options).billedSeconds).toBe(10 + 910)
})

test('a killed call that is not tried again counts until its timeout or the end of the execution', () => {
  const records = recordsOf([{ id: 'killed', from: 0 }])
  const ended = costOfCalls(records, { ...options, endedAt: dateAfter(40) })
  expect(ended).toMatchObject({ billedSeconds: 50, failedSeconds: 50, isUpperBound: true })
  expect(costOfCalls(records, options).billedSeconds).toBe(910)
  expect(costOfCalls(records, { ...options, timeoutSeconds: 300 }).billedSeconds).toBe(310)
})

test('a call that runs counts until now, and is neither failed nor a bound', () => {
  const running = costOfCalls(recordsOf([{ id: 'a', from: 0 }]), { region: 'us-east-1', now: dateAfter(12) })
  expect(running).toMatchObject({ calls: 1, billedSeconds: 12, failedSeconds: 0, isUpperBound: false })
})

test('a clock that is behind takes no time away', () => {
  expect(costOfCalls(recordsOf([{ id: 'a', from: 5 }]), { region: 'us-east-1', now: dateAfter(0) }).billedSeconds).toBe(
    0,
  )
})

test('a call whose first record is lost costs what its end says', () => {
  expect(costOfCalls(recordsOf([{ id: 'a', end: done(3000) }]), options)).toMatchObject({
    calls: 1,
    billedSeconds: 3,
  })
})

test('each chunk of a distributed Map enters two states more than a chunk of an inline one', () => {
  const chunks = (count: number) =>
    recordsOf(Array.from({ length: count }, (_, chunk) => ({ id: `r${chunk}`, chunk, from: 0, end: done(1) })))
  const transitions = (count: number) => Math.round(costOfCalls(chunks(count), options).byPart.transitions / 0.000025)
  expect(transitions(40)).toBe(2 + 40)
  expect(transitions(41)).toBe(2 + 3 * 41)
})

test('each file of a result that is a folder is a request', () => {
  const files = costOfCalls(wholeRender, { ...options, resultFiles: 10_000 })
  expect(files.usd - costOfCalls(wholeRender, options).usd).toBeCloseTo(10_000 * 0.000005, 9)
})

test('no calls cost nothing', () => {
  expect(costOfCalls([], options)).toMatchObject({ usd: 0, calls: 0, billedSeconds: 0, isUpperBound: false })
})

test('a region without prices is refused and says how to give them', () => {
  expect(() => costOfCalls(wholeRender, { ...options, region: 'mars-1' })).toThrow(
    expect.objectContaining({ code: 'VID_LAMBDA_PRICES_REGION', hint: expect.stringContaining('--prices') }),
  )
  expect(() => costOfCalls(wholeRender, { ...options, region: 'constructor' })).toThrow(/constructor/)
})
