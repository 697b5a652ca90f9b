import { expect, test } from 'vitest'
import { createPool } from './index.ts'

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
  const first = await pool.lend('a', open)
  const second = await pool.lend('a', open)
  expect([first.value.number, second.value.number]).toEqual([1, 2])
  first.back()
  expect((await pool.lend('b', open)).value.number).toBe(3)
  expect((await pool.lend('a', open)).value.number).toBe(1)
  expect((await pool.lend('a', open)).value.number).toBe(4)
})

test('what was dropped is closed once and never lent again', async () => {
  const pool = createPool()
  const { open, closed } = things()
  const loan = await pool.lend('a', open)
  await loan.drop()
  loan.back()
  expect((await pool.lend('a', open)).value.number).toBe(2)
  expect(closed).toEqual([1])
})

test('a pool that closes closes what is lent, what is idle, and what was still starting', async () => {
  const pool = createPool()
  const { open, closed } = things()
  await pool.lend('a', open)
  ;(await pool.lend('a', open)).back()
  let start = () => {}
  const waiting = new Promise<void>((resolve) => {
    start = resolve
  })
  const late = pool.lend('b', async (signal) => {
    await waiting
    expect(signal.aborted).toBe(true)
    return open()
  })
  const closing = pool.close()
  start()
  await expect(late).rejects.toThrow('closed')
  await closing
  expect(closed.toSorted()).toEqual([1, 2, 3])
  await expect(pool.lend('a', open)).rejects.toThrow('closed')
})
