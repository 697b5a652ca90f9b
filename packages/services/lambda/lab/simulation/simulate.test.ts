import { expect, test } from 'vitest'
import { type AccountLimits, defaultLimits, noLimits } from './account-limits.ts'
import { simulate } from './simulate.ts'
import type { Workload } from './workload.ts'

const render: Workload = {
  renders: 1,
  chunks: 1,
  segmentsPerChunk: 2,
  spread: 0,
  startsPerSecond: 1000,
  planSeconds: 5,
  chunkSeconds: 20,
  assembleSeconds: 7,
  coldSeconds: 3,
}

const run = (workload: Partial<Workload>, limits: Partial<AccountLimits> = {}, from = noLimits) =>
  simulate({ workload: { ...render, ...workload }, limits: { ...from, ...limits } })

test('a render of one chunk takes its three calls one after the other, and one new environment', () => {
  const alone = run({})
  expect(alone.wallSeconds).toBeCloseTo(3 + 5 + 20 + 7)
  expect(alone).toMatchObject({ coldStarts: 1, throttles: 0, finishedRenders: 1, peakConcurrency: 1 })
  expect(alone.usage).toMatchObject({ calls: 3, transitions: 7 })
  expect(alone.bites).toBeUndefined()
})

test('without limits all renders take as long as one whose chunks are side by side', () => {
  const many = run({ renders: 200, chunks: 16, startsPerSecond: 1e9 })
  expect(many.wallSeconds).toBeCloseTo(3 + 5 + 3 + 20 + 7)
  expect(many.medianSeconds).toBeCloseTo(many.wallSeconds)
  expect(many.peakConcurrency).toBe(200 * 16)
  expect(many.usage.calls).toBe(200 * 18)
  expect(many.usage.transitions).toBe(200 * (6 + 16))
})

test('chunks of a distributed Map are executions: each a start and three states', () => {
  expect(run({ chunks: 41 }).usage.transitions).toBe(6 + 3 * 41)
  const slow = run({ chunks: 101, coldSeconds: 0 }, { startExecution: { burst: 2, perSecond: 1 } })
  // The render and one chunk start at once; the tokens of five seconds of planning are capped by the bucket.
  expect(slow.wallSeconds).toBeCloseTo(5 + 99 + 20 + 7)
  expect(slow.bites).toBe('startExecution')
})

test('work is conserved: time that is paid for is the time of all calls and of all new environments', () => {
  const crowd = run({ renders: 50, chunks: 8 }, { concurrency: 20 })
  expect(crowd.finishedRenders).toBe(50)
  expect(crowd.usage.calls).toBe(50 * 10)
  expect(crowd.usage.billedSeconds).toBeCloseTo(50 * (5 + 8 * 20 + 7) + 3 * crowd.coldStarts, 6)
  expect(crowd.wallSeconds).toBeGreaterThanOrEqual(crowd.usage.billedSeconds / 20)
})

test('never do more calls run than the account allows', () => {
  for (const concurrency of [1, 7, 100]) {
    const patient = { ...defaultLimits.retry, maxAttempts: 1e9 }
    const crowd = run({ renders: 40, chunks: 10, spread: 0.3 }, { concurrency, retry: patient })
    expect(crowd.peakConcurrency).toBe(Math.min(concurrency, 400))
    expect(crowd.coldStarts).toBeLessThanOrEqual(concurrency)
    expect(crowd.finishedRenders).toBe(40)
  }
})

test('a full account is used without gaps when refused calls ask often enough', () => {
  const eager = { intervalSeconds: 0.5, backoffRate: 1, maxDelaySeconds: 0.5, maxAttempts: 1e9 }
  const crowd = run({ renders: 20, chunks: 10, coldSeconds: 0 }, { concurrency: 10, retry: eager })
  const work = 20 * (5 + 10 * 20 + 7)
  expect(crowd.wallSeconds).toBeGreaterThanOrEqual(work / 10)
  expect(crowd.wallSeconds).toBeLessThan((work / 10) * 1.05)
  expect(crowd.bites).toBe('concurrency')
})

test('refused calls wait on average half of the longest delay, as the rule of retries says', () => {
  const retry = { intervalSeconds: 10, backoffRate: 1, maxDelaySeconds: 10, maxAttempts: 1e9 }
  // One call runs for a long time; the others ask again and again.
  const crowd = run({ renders: 100, chunks: 1, planSeconds: 800 }, { concurrency: 1, retry })
  expect(crowd.waits.concurrency / crowd.throttles).toBeGreaterThan(4.8)
  expect(crowd.waits.concurrency / crowd.throttles).toBeLessThan(5.2)
})

test('a call that is refused too often ends its render, and the rest goes on', () => {
  const retry = { intervalSeconds: 1, backoffRate: 1, maxDelaySeconds: 1, maxAttempts: 3 }
  const crowd = run({ renders: 10 }, { concurrency: 1, retry })
  expect(crowd.finishedRenders).toBeGreaterThan(0)
  expect(crowd.failures.concurrency).toBe(10 - crowd.finishedRenders)
  expect(crowd.bites).toBe('concurrency')
})

test('new environments come as fast as Lambda starts them', () => {
  const burst = run({ renders: 2000, startsPerSecond: 1e9 }, { newEnvironments: defaultLimits.newEnvironments })
  expect(burst.throttles).toBeGreaterThan(0)
  expect(burst.bites).toBe('newEnvironments')
  expect(burst.finishedRenders).toBe(2000)
  const fits = run({ renders: 1000, startsPerSecond: 1e9 }, { newEnvironments: defaultLimits.newEnvironments })
  expect(fits.throttles).toBe(0)
})

test('executions start as fast as Step Functions lets them', () => {
  const many = run(
    { renders: 1600, startsPerSecond: 1e9, coldSeconds: 0 },
    { startExecution: { burst: 1300, perSecond: 300 } },
  )
  expect(many.wallSeconds).toBeCloseTo(300 / 300 + 5 + 20 + 7)
  expect(many.bites).toBe('startExecution')
})

test('a client that asks slowly is what takes the time', () => {
  const slow = run({ renders: 101, startsPerSecond: 10, coldSeconds: 0 })
  expect(slow.wallSeconds).toBeCloseTo(10 + 5 + 20 + 7)
})

test('requests to S3 beyond its rate make calls longer, which are paid for', () => {
  const work = { renders: 500, startsPerSecond: 1e9, coldSeconds: 0 }
  const rate = 50
  const free = run(work)
  const slow = run(work, { s3Writes: rate })
  expect(slow.bites).toBe('s3Writes')
  expect(slow.usage.billedSeconds - free.usage.billedSeconds).toBeCloseTo(slow.waits.s3Writes)
  // Calls take longer by what they find when they begin, so the rate is kept nearly, not exactly.
  expect(slow.wallSeconds).toBeGreaterThan((0.5 * slow.usage.s3Writes) / rate)
  expect(run(work, { s3Writes: 1e6 }).waits.s3Writes).toBe(0)
})

test('a chunk of more than 15 minutes is tried twice, and ends its render', () => {
  const long = run({ renders: 3, chunkSeconds: 901, coldSeconds: 0 })
  expect(long).toMatchObject({ finishedRenders: 0, failures: { functionTime: 3 }, bites: 'functionTime' })
  expect(long.usage.billedSeconds).toBeCloseTo(3 * (5 + 2 * 900))
})

test('a history that is full ends its render', () => {
  const retry = { intervalSeconds: 1, backoffRate: 1, maxDelaySeconds: 1, maxAttempts: 1e9 }
  const crowd = run({ renders: 4, chunks: 40 }, { concurrency: 1, retry, historyEvents: 1000 })
  expect(crowd.failures.history).toBe(4)
})

test('the retries of the workflow end before the history of an inline Map is full', () => {
  const stuck = run({ renders: 2, chunks: 40, chunkSeconds: 899 }, { concurrency: 1 }, defaultLimits)
  expect(stuck.failures.history).toBeUndefined()
  expect(stuck.failures.concurrency).toBe(2)
})

test('one render at a time never waits for concurrency that suffices for it', () => {
  const gentle = run({ renders: 5, chunks: 16, maxRenders: 1 }, { concurrency: 16 })
  expect(gentle.throttles).toBe(0)
  expect(gentle.wallSeconds).toBeCloseTo(5 * (5 + 20 + 7) + 3 + 3)
})

test('the same seed gives the same run, and another one gives another', () => {
  const workload = { ...render, renders: 30, chunks: 10, spread: 0.3 }
  const limits = { ...defaultLimits, concurrency: 50 }
  expect(simulate({ workload, limits, seed: 4 })).toEqual(simulate({ workload, limits, seed: 4 }))
  expect(simulate({ workload, limits, seed: 4 })).not.toEqual(simulate({ workload, limits, seed: 5 }))
})
