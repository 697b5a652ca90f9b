import { expect, test } from 'vitest'
import { exclusivePool } from './exclusive-pool.ts'
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

test('the pages of a render share a resource that no other render gets meanwhile, and the next one gets it afterwards', async () => {
  const pool = createPool({ maxIdle: 4 })
  const { open } = resources()
  const one = exclusivePool(pool)
  const other = exclusivePool(pool)
  const [first, second] = await Promise.all([one.acquire('a', open), one.acquire('a', open)])
  const third = await other.acquire('a', open)
  expect([first, second, third].map(({ value }) => value.number)).toEqual([1, 1, 2])
  first.release()
  first.release()
  expect((await exclusivePool(pool).acquire('a', open)).value.number).toBe(3)
  second.release()
  expect((await exclusivePool(pool).acquire('a', open)).value.number).toBe(1)
  expect((await one.acquire('a', open)).value.number).toBe(4)
  await pool.close()
})

test('a discarded resource is closed with its last holder, and its render gets another one', async () => {
  const pool = createPool({ maxIdle: 4 })
  const { open, closed } = resources()
  const render = exclusivePool(pool)
  const first = await render.acquire('a', open)
  const second = await render.acquire('a', open)
  await first.discard()
  expect((await render.acquire('a', open)).value.number).toBe(2)
  expect(closed).toEqual([])
  second.release()
  await expect.poll(() => closed).toEqual([1])
  expect((await exclusivePool(pool).acquire('a', open)).value.number).toBe(3)
  await pool.close()
})

test('idle resources are bounded, whatever many renders have needed at once', async () => {
  const pool = createPool({ maxIdle: 2 })
  const { open, closed } = resources()
  const leases = await Promise.all([1, 2, 3, 4].map(() => exclusivePool(pool).acquire('a', open)))
  for (const lease of leases) lease.release()
  await expect.poll(() => closed).toEqual([1, 2])
  await pool.close()
  expect(closed.toSorted()).toEqual([1, 2, 3, 4])
})

test('a start that failed rejects the waiting pages of its render, and is tried again for the next', async () => {
  const render = exclusivePool(createPool({ maxIdle: 1 }))
  const fail = () => Promise.reject(new Error('no'))
  const tries = await Promise.allSettled([render.acquire('a', fail), render.acquire('a', fail)])
  expect(tries.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await render.acquire('a', resources().open)).value.number).toBe(1)
})
