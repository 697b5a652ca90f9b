import { expect, test } from 'vitest'
import { onsetsOf } from './onsets.ts'

test('a sound begins where it is much louder than shortly before, and not again while it grows or fades', () => {
  const silence = Array.from({ length: 10 }, () => 0)
  const beep = [0.8, 0.82, 0.7, 0.4, 0.2, 0.05, 0, 0, 0, 0]
  expect(onsetsOf([...silence, ...beep, ...silence, ...beep], 4)).toEqual([1, 3])
  expect(onsetsOf([0, 0, 0.01, 0.02, 0.04, 0.03], 1)).toEqual([])
  expect(onsetsOf([], 0)).toEqual([])
})
