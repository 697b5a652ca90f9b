import { machineCores } from '@vid/system'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { measureLoad } from './load.ts'
import type { WorkerCosts } from './worker-choice.ts'
import { createWorkerPool } from './worker-pool.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A pool whose workers end on request, on a machine with the given load. */
const poolOf = (first: number, max: number, load: { cores: number; busy: number }, waiting = 10) => {
  const costs: WorkerCosts[] = []
  const ends: ((error?: Error) => void)[] = []
  const pool = createWorkerPool({
    first,
    max,
    settledFrames: 48,
    measure: () => () => load,
    left: () => ({
      running: ends.map(() => 100),
      waiting: Array.from({ length: waiting }, () => ({ frames: 120, replayed: 0 })),
    }),
    work: () =>
      new Promise((resolve, reject) => {
        ends.push((error) => (error ? reject(error) : resolve()))
      }),
    onCosts: (measured) => costs.push(measured),
  })
  const frames = (count: number) => {
    for (let remaining = count; remaining > 0; remaining--) pool.onFrame()
  }
  return { pool, frames, ends, costs }
}

test('an added worker that fails first is reported by the pool, and not as an unhandled rejection', async () => {
  const unheard: unknown[] = []
  const onUnhandled = (reason: unknown) => unheard.push(reason)
  process.on('unhandledRejection', onUnhandled)
  onTestFinished(() => void process.off('unhandledRejection', onUnhandled))
  const { pool, frames, ends } = poolOf(1, 2, { cores: 8, busy: 2 })
  const done = pool.run()
  frames(48)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(ends).toHaveLength(2)
  ends[1]?.(new Error('stopped'))
  // Node looks for unhandled rejections once all microtasks have run.
  await new Promise((resolve) => setImmediate(resolve))
  ends[0]?.()
  await expect(done).rejects.toThrow('stopped')
  expect(unheard).toEqual([])
})

test('workers are added after the first frames and one second of measurement', async () => {
  const { pool, frames, ends } = poolOf(1, 8, { cores: 8, busy: 2 })
  const done = pool.run()
  frames(20)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(pool.count()).toBe(1)
  frames(28)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(pool.count()).toBe(1)
  await vi.advanceTimersByTimeAsync(500)
  expect(pool.count()).toBe(4)
  for (const end of ends) end()
  await done
})

test('half a second of measurement is enough when as many frames are captured in it', async () => {
  const { pool, frames, ends } = poolOf(1, 8, { cores: 8, busy: 2 })
  const done = pool.run()
  frames(48)
  await vi.advanceTimersByTimeAsync(200)
  frames(48)
  await vi.advanceTimersByTimeAsync(300)
  expect(pool.count()).toBe(1)
  await vi.advanceTimersByTimeAsync(300)
  expect(pool.count()).toBe(4)
  for (const end of ends) end()
  await done
})

test('with the costs of an earlier render, workers are added before the first frame', async () => {
  const { pool, ends } = poolOf(1, 8, { cores: 8, busy: 2 })
  const done = pool.run()
  pool.expect({ coresEach: 2, frameMs: 50 }, 8)
  expect(pool.count()).toBe(4)
  pool.expect({ coresEach: 2, frameMs: 50 }, 4)
  expect(pool.count()).toBe(4)
  for (const end of ends) end()
  await done
  const fixed = poolOf(2, 2, { cores: 8, busy: 2 })
  fixed.pool.expect({ coresEach: 1, frameMs: 50 }, 8)
  expect(fixed.pool.count()).toBe(0)
})

test('what a worker costs is reported while it is the only one', async () => {
  const { pool, frames, ends, costs } = poolOf(1, 8, { cores: 8, busy: 2 })
  const done = pool.run()
  for (let second = 0; second < 8; second++) {
    frames(200)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(pool.count()).toBeGreaterThan(1)
  expect(costs).toHaveLength(1)
  expect(costs[0]?.coresEach).toBe(2)
  expect(costs[0]?.frameMs).toBeGreaterThan(0)
  for (const end of ends) end()
  await done
})

test('with slow frames, workers are added without waiting for them', async () => {
  const { pool, frames, ends } = poolOf(1, 2, { cores: 2, busy: 0.5 })
  const done = pool.run()
  frames(1)
  await vi.advanceTimersByTimeAsync(6_500)
  expect(pool.count()).toBe(2)
  for (const end of ends) end()
  await done
})

test('no workers are added on a busy machine, without segments left, or when their number was requested', async () => {
  const pools = [
    poolOf(1, 8, { cores: 2, busy: 1.9 }),
    poolOf(1, 8, { cores: 8, busy: 1 }, 0),
    poolOf(2, 2, { cores: 64, busy: 2 }),
  ]
  const done = pools.map(({ pool }) => pool.run())
  for (const { frames } of pools) frames(500)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(pools.map(({ pool }) => pool.count())).toEqual([1, 1, 2])
  for (const { ends } of pools) for (const end of ends) end()
  await Promise.all(done)
})

test('the first failure is thrown after all workers have ended', async () => {
  const { pool, ends } = poolOf(2, 2, { cores: 1, busy: 1 })
  const done = pool.run()
  let ended = false
  const failure = done.catch((error: unknown) => {
    ended = true
    return error
  })
  ends[1]?.(new Error('no'))
  await vi.advanceTimersByTimeAsync(100)
  expect(ended).toBe(false)
  ends[0]?.()
  expect(await failure).toMatchObject({ message: 'no' })
})

test('the load of this machine is between zero and its cores', async () => {
  vi.useRealTimers()
  const read = measureLoad(machineCores())
  const until = performance.now() + 300
  while (performance.now() < until) Math.sqrt(2)
  const { cores, busy } = read()
  expect(cores).toBeGreaterThan(0)
  expect(busy).toBeGreaterThan(0.2)
  expect(busy).toBeLessThanOrEqual(cores)
})
