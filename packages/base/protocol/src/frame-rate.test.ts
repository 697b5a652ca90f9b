import { expect, test } from 'vitest'
import { firstFrameAt, readFrameRate, secondsOf } from './frame-rate.ts'

test.each([
  [30, 30],
  ['24', 24],
  ['1', 1],
  [240, 240],
  ['30000/1001', '30000/1001'],
  ['60/2', 30],
  ['50/4', '25/2'],
  [29.97, '30000/1001'],
  ['23.976', '24000/1001'],
  ['59.94', '60000/1001'],
])('%s is the rate %s', (value, rate) => {
  expect(readFrameRate(value)).toBe(rate)
})

test.each([0, 241, 12.5, '30.0', '30/0', '0/1', '1/2', '241/1', '24000/1003', '-30', ' 30', '', '1e2'])(
  '"%s" is no rate',
  (value) => {
    expect(readFrameRate(value)).toBeUndefined()
  },
)

test('a day of frames at a television rate has exact times', () => {
  const day = Math.floor((24 * 3600 * 60_000) / 1001)
  for (const frame of [1, 17_982, day - 1, day]) {
    const seconds = secondsOf(frame, '60000/1001')
    expect(BigInt(Math.round(seconds * 60_000))).toBe(BigInt(frame) * 1001n)
    expect(firstFrameAt(seconds, '60000/1001')).toBe(frame)
  }
})

test('ten minutes at 30000/1001 take a whole number of samples, and end with the frames', () => {
  expect(secondsOf(18_000, '30000/1001') * 48_000).toBe(28_828_800)
})
