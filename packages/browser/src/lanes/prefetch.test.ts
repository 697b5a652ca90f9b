import { expect, test } from 'vitest'
import { prefetch } from './prefetch.ts'

test('values come in order, one is made at a time, and no more than the depth lies ahead of the reader', async () => {
  let made = 0
  let running = 0
  const values = prefetch(10, 2, async (index) => {
    expect(++running).toBe(1)
    await new Promise(setImmediate)
    running -= 1
    made += 1
    return index
  })
  const read: number[] = []
  for await (const value of values) {
    read.push(value)
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    expect(made).toBeLessThanOrEqual(read.length + 2)
  }
  expect(read).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a value that fails ends the reading with its error, and nothing after it is made', async () => {
  const made: number[] = []
  const reading = async () => {
    for await (const value of prefetch(10, 3, async (index) => {
      if (index === 2) throw new Error('frame 2')
      made.push(index)
      return index
    }))
      expect(value).toBeLessThan(2)
  }
  await expect(reading()).rejects.toThrow('frame 2')
  expect(made).toEqual([0, 1])
})

test('a reader that leaves waits for what is under way, and nothing more is started', async () => {
  let started = 0
  let finished = 0
  for await (const value of prefetch(10, 2, async (index) => {
    started += 1
    await new Promise(setImmediate)
    finished += 1
    return index
  }))
    if (value === 3) break
  expect(finished).toBe(started)
  expect(started).toBeLessThan(8)
})
