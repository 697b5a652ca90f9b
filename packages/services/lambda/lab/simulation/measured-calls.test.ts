import { expect, test } from 'vitest'
import { type Action, type CallEnd, endKey, startKey } from '../../src/contract/call-records.ts'
import { measureCalls, recordsOfList } from './measured-calls.ts'

let calls = 0
const listed = (action: Action, end: Partial<CallEnd>) => {
  const call = { renderId: 'film', action, chunk: calls, requestId: `r${calls++}` }
  const full = { outcome: 'done', billedMs: 0, frames: 0, reusedFrames: 0, isCold: false, ...end }
  return [startKey(call), endKey(call, full)].map((Key) => ({
    Key,
    LastModified: '2026-11-22T10:00:00+00:00',
  }))
}

const records = recordsOfList({
  Contents: [
    ...listed('plan', { billedMs: 4000, isCold: true }),
    // Two seconds, and a twentieth for each frame; five more in a new environment.
    ...listed('segment', { billedMs: 2000 + 240 * 50, frames: 240 }),
    ...listed('segment', { billedMs: 2000 + 120 * 50, frames: 120 }),
    ...listed('segment', { billedMs: 2000 + 40 * 50, frames: 240, reusedFrames: 200 }),
    ...listed('segment', { billedMs: 7000 + 240 * 50, frames: 240, isCold: true }),
    ...listed('segment', { billedMs: 900_000, frames: 0, outcome: 'VID_LAMBDA_DEADLINE' }),
    ...listed('assemble', { billedMs: 9000 }),
    { Key: 'renders/film/plan.json', LastModified: 'x' },
  ],
})

test('times of calls are read from the list of a render’s records', () => {
  const measured = measureCalls(records)
  expect(measured?.planSeconds).toBe(4)
  expect(measured?.assembleSeconds).toBe(9)
  expect(measured?.secondsPerFrame).toBeCloseTo(0.05)
  expect(measured?.startSeconds).toBeCloseTo(2)
  expect(measured?.coldSeconds).toBeCloseTo(5)
})

test('one chunk alone tells only what a frame takes with its part of the start', () => {
  const one = measureCalls(
    recordsOfList({ Contents: listed('segment', { billedMs: 12_000, frames: 240, isCold: true }) }),
  )
  expect(one).toMatchObject({ secondsPerFrame: 0.05, startSeconds: 0, coldSeconds: 0 })
})

test('without a chunk nothing is measured', () => {
  expect(measureCalls(recordsOfList({ Contents: listed('plan', { billedMs: 1 }) }))).toBeUndefined()
  expect(measureCalls(recordsOfList({}))).toBeUndefined()
  expect(measureCalls(recordsOfList('x'))).toBeUndefined()
})
