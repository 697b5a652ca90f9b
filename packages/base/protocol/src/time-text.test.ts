import { expect, test } from 'vitest'
import { isTime, readTime } from './time-text.ts'

const base = { fps: '30000/1001', duration: 4 }

test.each([
  ['2s', 60_000 / 1001],
  ['1.5', 45_000 / 1001],
  ['500ms', 15_000 / 1001],
  ['60f', 60],
  ['50%', 60_000 / 1001],
  ['1:30.5', (90.5 * 30_000) / 1001],
  ['1:00:00', (3600 * 30_000) / 1001],
])('%s is at frame %d', (text, frame) => {
  expect(isTime(text)).toBe(true)
  expect(readTime(text, base)).toBeCloseTo(frame, 9)
})

test.each(['', 's', '-1s', '1.5f', '2 s', '1:2:3:4', '1h', 'NaN'])('"%s" is no time', (text) => {
  expect(isTime(text)).toBe(false)
})
