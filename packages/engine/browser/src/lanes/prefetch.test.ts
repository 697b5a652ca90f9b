import { expect, test } from 'vitest'
import { prefetch } from './prefetch.ts'

test('values arrive in order, are produced one at a time, and never more than the depth ahead of the reader', async () => {
  let produced = 0
  let running = 0
  const values = prefetch(10, 2, async (index) => {
    expect(++running).toBe(1)
    await new Promise(setImmediate)
    running -= 1
    produced += 1
    return index
  })
  const read: number[] = []
  for await (const value of values) {
    read.push(value)
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    expect(produced).toBeLessThanOrEqual(read.length + 2)
  }
  expect(read).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a value that fails ends the iteration with its error, and no later value is produced', async () => {
  const produced: number[] = []
  const read = async () => {
    for await (const value of prefetch(10, 3, async (index) => {
      if (index === 2) throw new Error('frame 2')
      produced.push(index)
      return index
    }))
      expect(value).toBeLessThan(2)
  }
  await expect(read()).rejects.toThrow('frame 2')
  expect(produced).toEqual([0, 1])
})

test('a reader that stops early waits for the value in progress, and no other is started', async () => {
  let starts = 0
  let finished = 0
  for await (const value of prefetch(10, 2, async (index) => {
    starts += 1
    await new Promise(setImmediate)
    finished += 1
    return index
  }))
    if (value === 3) break
  expect(finished).toBe(starts)
  expect(starts).toBeLessThan(8)
})
