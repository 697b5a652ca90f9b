import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPool } from './pool.ts'

const resources = () => {
  let opened = 0
  const closed: number[] = []
  const open = async () => {
    opened += 1
    const number = opened
    return { number, close: async () => void closed.push(number) }
  }
  return { open, closed }
}

test('a released resource is acquired again under its key, and never by two holders at once', async () => {
  const pool = createPool()
  const { open } = resources()
  const first = await pool.acquire('a', open)
  const second = await pool.acquire('a', open)
  expect([first.value.number, second.value.number]).toEqual([1, 2])
  first.release()
  expect((await pool.acquire('b', open)).value.number).toBe(3)
  expect((await pool.acquire('a', open)).value.number).toBe(1)
  expect((await pool.acquire('a', open)).value.number).toBe(4)
})

test('a pool at its limit shares the resource with the fewest holders, and closes a discarded one after its last holder', async () => {
  const pool = createPool({ max: 2 })
  const { open, closed } = resources()
  // The third asks before the first has been started.
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => pool.acquire('a', open)))
  expect([first?.value.number, second?.value.number, third?.value.number]).toEqual([1, 2, 1])
  expect((await pool.acquire('b', open)).value.number).toBe(3)
  expect((await pool.acquire('a', open)).value.number).toBe(2)
  await first?.discard()
  expect(closed).toEqual([])
  // A discarded resource neither counts towards the limit nor is acquired again.
  expect((await pool.acquire('a', open)).value.number).toBe(4)
  third?.release()
  third?.release()
  await expect.poll(() => closed).toEqual([1])
})

test('idle resources of many keys are bounded: the one that has been idle longest is closed', async () => {
  const pool = createPool({ max: 1 })
  const { open, closed } = resources()
  const lease = await pool.acquire('held', open)
  for (const key of ['a', 'b', 'c', 'd']) (await pool.acquire(key, open)).release()
  expect(closed).toEqual([])
  // Used again, so that it is no longer the oldest.
  const again = await pool.acquire('a', open)
  again.release()
  again.release()
  expect(again.value.number).toBe(2)
  for (const key of ['e', 'f']) (await pool.acquire(key, open)).release()
  await expect.poll(() => closed).toEqual([3, 4])
  lease.release()
  await expect.poll(() => closed).toEqual([3, 4, 5])
  expect((await pool.acquire('held', open)).value.number).toBe(1)
})

test('an idle resource is closed after its time, and one that is acquired before stays', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const pool = createPool({ max: 1, maxIdleMs: 1000 })
  const { open, closed } = resources()
  ;(await pool.acquire('a', open)).release()
  await vi.advanceTimersByTimeAsync(999)
  const lease = await pool.acquire('a', open)
  await vi.advanceTimersByTimeAsync(5000)
  expect(closed).toEqual([])
  lease.release()
  pool.prepare('b', open)
  await vi.advanceTimersByTimeAsync(1000)
  expect(closed).toEqual([1, 2])
})

test('resources that are prepared and never acquired count among the idle ones', async () => {
  const pool = createPool({ max: 1, maxIdle: 2 })
  const { open, closed } = resources()
  for (const key of ['a', 'b', 'c', 'd']) pool.prepare(key, open)
  await expect.poll(() => closed).toEqual([1, 2])
  const lease = await pool.acquire('d', open)
  lease.release()
  expect(closed).toEqual([1, 2])
  await pool.close()
})

test('a closing pool waits for a discarded resource that its last holder has released', async () => {
  const pool = createPool({ max: 1 })
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  let isClosed = false
  const open = async () => ({
    async close() {
      await finished
      isClosed = true
    },
  })
  const [one, other] = await Promise.all([pool.acquire('a', open), pool.acquire('a', open)])
  await one.discard()
  other.release()
  const closing = pool.close().then(() => 'closed')
  // A pool that did not wait would have closed by the next turn of the event loop.
  expect(await Promise.race([closing, nextTurn('still waiting')])).toBe('still waiting')
  finish()
  await closing
  expect(isClosed).toBe(true)
})

test('a failed start rejects every waiting holder, and is tried again for the next', async () => {
  const pool = createPool({ max: 1 })
  const { open } = resources()
  const fail = async () => {
    throw new Error('no')
  }
  const [one, other] = await Promise.allSettled([pool.acquire('a', fail), pool.acquire('a', fail)])
  expect([one?.status, other?.status]).toEqual(['rejected', 'rejected'])
  expect((await pool.acquire('a', open)).value.number).toBe(1)
  await pool.close()
})

test('a discarded resource is closed once and never acquired again', async () => {
  const pool = createPool()
  const { open, closed } = resources()
  const lease = await pool.acquire('a', open)
  await lease.discard()
  lease.release()
  expect((await pool.acquire('a', open)).value.number).toBe(2)
  expect(closed).toEqual([1])
})

test('closing a pool closes acquired, idle and still starting resources', async () => {
  const pool = createPool()
  const { open, closed } = resources()
  await pool.acquire('a', open)
  ;(await pool.acquire('a', open)).release()
  let start = () => {}
  const waiting = new Promise<void>((resolve) => {
    start = resolve
  })
  const late = pool.acquire('b', async (signal) => {
    await waiting
    expect(signal.aborted).toBe(true)
    return open()
  })
  const closing = pool.close()
  start()
  await expect(late).rejects.toThrow('closed')
  await closing
  expect(closed.toSorted()).toEqual([1, 2, 3])
  await expect(pool.acquire('a', open)).rejects.toThrow('closed')
})

test('a prepared resource is the one that its next holder gets, also while it is starting', async () => {
  const pool = createPool({ max: 2 })
  const { open, closed } = resources()
  pool.prepare('a', open)
  // One is there already.
  pool.prepare('a', open)
  const first = await pool.acquire('a', open)
  const second = await pool.acquire('a', open)
  pool.prepare('a', open)
  expect([first.value.number, second.value.number]).toEqual([1, 2])
  expect((await pool.acquire('a', open)).value.number).toBe(1)
  pool.prepare('b', open)
  await pool.close()
  expect(closed.sort()).toEqual([1, 2, 3])
  pool.prepare('a', open)
  expect(closed).toHaveLength(3)
})

test('a prepared resource that fails to start fails for nobody but the holder that waits for it', async () => {
  const pool = createPool()
  const { open } = resources()
  const fail = async () => Promise.reject(new Error('it did not start'))
  pool.prepare('a', fail)
  await expect(pool.acquire('a', open)).rejects.toThrow('it did not start')
  pool.prepare('a', fail)
  await nextTurn()
  expect((await pool.acquire('a', open)).value.number).toBe(1)
})

test('many resources listen to the end of their pool without a warning of the process', async () => {
  const warned = vi.fn()
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const pool = createPool()
  for (let number = 0; number < 12; number++)
    await pool.acquire(`${number}`, async (signal) => {
      signal.addEventListener('abort', () => {})
      return { close: async () => {} }
    })
  // The process reports a warning in the turn after.
  await nextTurn()
  expect(warned).not.toHaveBeenCalled()
  await pool.close()
})
