import { expect, test } from 'vitest'
import { formatBytes, formatRemaining } from './amounts.ts'

test('sizes and times are written with the unit that fits', () => {
  expect([0, 999, 1500, 25_400_000, 3e12].map(formatBytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.5 kB',
    '25 MB',
    '3000 GB',
  ])
  expect([400, 59_000, 61_000, 7_260_000].map(formatRemaining)).toEqual(['1 s', '59 s', '1 min 1 s', '2 h 1 min'])
})
