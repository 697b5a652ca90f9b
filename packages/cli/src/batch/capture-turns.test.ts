import { expect, test } from 'vitest'
import { createTurns, noTurn } from './capture-turns.ts'

const enterAll = (count: number, turns: ReturnType<typeof createTurns>) => {
  const begun: number[] = []
  const rows = Array.from({ length: count }, (_, row) => turns.enter(() => begun.push(row)))
  return { begun, rows }
}

test('so many capture at once, the rest in the order of their asking', async () => {
  const turns = createTurns(2, new AbortController().signal)
  const { begun, rows } = enterAll(4, turns)
  expect(begun).toEqual([0, 1])
  const taken = rows.map((row) => row.take())
  await Promise.all(taken.slice(0, 2))
  rows[1]?.pass()
  await taken[2]
  expect(begun).toEqual([0, 1, 2])
  // It had only one.
  rows[1]?.pass()
  rows[0]?.pass()
  await taken[3]
  expect(begun).toEqual([0, 1, 2, 3])
  expect(rows[0]?.waitedMs()).toBe(0)
  expect(rows[3]?.waitedMs()).toBeGreaterThan(0)
})

test('once it is closed, only rows that have begun get another turn', async () => {
  const turns = createTurns(1, new AbortController().signal)
  const { begun, rows } = enterAll(3, turns)
  const second = rows[1]?.take()
  rows[0]?.pass()
  await second
  const again = rows[0]?.take()
  const third = rows[2]?.take()
  turns.close()
  await expect(third).rejects.toBe(noTurn)
  rows[1]?.pass()
  await again
  rows[0]?.pass()
  await expect(rows[2]?.take()).rejects.toBe(noTurn)
  expect(begun).toEqual([0, 1])
})

test('a stop ends all waiting, and nobody begins after it', async () => {
  const stop = new AbortController()
  const turns = createTurns(1, stop.signal)
  const { begun, rows } = enterAll(2, turns)
  const second = rows[1]?.take()
  stop.abort(new Error('stopped'))
  await expect(second).rejects.toThrow('stopped')
  rows[0]?.pass()
  turns.enter(() => begun.push(2))
  expect(begun).toEqual([0])
})
