import { expect, test } from 'vitest'
import { workerCount } from './workers.ts'

const GIB = 2 ** 30

test('auto takes half of the cores and at most four', () => {
  expect([1, 2, 4, 8, 64].map((cores) => workerCount('auto', 100, 64 * GIB, cores))).toEqual([1, 1, 2, 4, 4])
})

test('auto takes one worker on a machine with little memory', () => {
  expect(workerCount('auto', 100, 1 * GIB, 16)).toBe(1)
})

test('a number is taken as it is, up to the number of segments', () => {
  expect(workerCount(8, 100, 1 * GIB, 2)).toBe(8)
  expect(workerCount(8, 3, 64 * GIB, 16)).toBe(3)
})
