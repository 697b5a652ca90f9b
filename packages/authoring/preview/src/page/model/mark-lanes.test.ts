import { expect, test } from 'vitest'
import { markLanes } from './mark-lanes.ts'

test('marks that overlap lie in lanes of their own, as far as there are some', () => {
  const marks = [
    { from: 0, to: 2 },
    { from: 1, to: 3 },
    { from: 2, to: 4 },
    { from: 2.5, to: 5 },
  ]
  expect(markLanes(marks, 2)).toEqual([0, 1, 0, 1])
  expect(markLanes(marks, 3)).toEqual([0, 1, 0, 2])
})
