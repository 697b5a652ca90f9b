import { expect, test } from 'vitest'
import { partOf } from './part-of.ts'

test('a part of a table has its first row, its last one, and those between in even steps', () => {
  const rows = Array.from({ length: 10 }, (_, n) => n)
  expect(partOf(rows, 4)).toEqual([0, 3, 6, 9])
  expect(partOf(rows, 2)).toEqual([0, 9])
  expect(partOf(rows, 1)).toEqual([0])
  expect(partOf(rows, 10)).toEqual(rows)
  expect(partOf(rows, 20)).toEqual(rows)
})
