import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPool } from './pool.ts'

const things = () => {
  let made = 0
  const closed: number[] = []
  const open = async () => {
    made += 1
    const number = made
    return { number, close: async () => void closed.push(number) }
  }
  return { open, closed }
}

test('what is given back is lent again under its key, and never to two at once', async () => {
  const pool = createPool()
  const { open } = things()
  const first = await pool.acquire('a', open)
  const second = await pool.acquire('a', open)
  expect([first.value.number, second.value.number]).toEqual([1, 2])
  first.release()
  expect((await pool.acquire('b', open)).value.number).toBe(3)
  expect((await pool.acquire('a', open)).value.number).toBe(1)
  expect((await pool.acquire('a', open)).value.number).toBe(4)
})

test('a pool that has reached its limit lends what the fewest have, and closes it when the last has dropped it', async () => {
  const pool = createPool({ max: 2 })
  const { open, closed } = things()
  // The third asks before the first has been started.
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => pool.acquire('a', open)))
  expect([first?.value.number, second?.value.number, third?.value.number]).toEqual([1, 2, 1])
  expect((await pool.acquire('b', open)).value.number).toBe(3)
  expect((await pool.acquire('a', open)).value.number).toBe(2)
  await first?.discard()
  expect(closed).toEqual([])
  // One that is dropped does not count any more, and is lent no more.
  expect((await pool.acquire('a', open)).value.number).toBe(4)
  third?.release()
  third?.release()
  await expect.poll(() => closed).toEqual([1])
})

test('a pool that closes waits for what the last who had it gave back after another had dropped it', async () => {
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

test('what cannot be started is refused to all who wait for it, and tried again for the next', async () => {
  const pool = createPool({ max: 1 })
  const { open } = things()
  const fail = async () => {
    throw new Error('no')
  }
  const [one, other] = await Promise.allSettled([pool.acquire('a', fail), pool.acquire('a', fail)])
  expect([one?.status, other?.status]).toEqual(['rejected', 'rejected'])
  expect((await pool.acquire('a', open)).value.number).toBe(1)
  await pool.close()
})

test('what was dropped is closed once and never lent again', async () => {
  const pool = createPool()
  const { open, closed } = things()
  const lease = await pool.acquire('a', open)
  await lease.discard()
  lease.release()
  expect((await pool.acquire('a', open)).value.number).toBe(2)
  expect(closed).toEqual([1])
})

test('a pool that closes closes what is lent, what is idle, and what was still starting', async () => {
  const pool = createPool()
  const { open, closed } = things()
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
