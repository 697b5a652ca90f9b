import { expect, test } from 'vitest'
import { clockText } from './time-text.ts'

test.each([
  [0, '0:00.00'],
  [65.5, '1:05.50'],
  [59.999, '1:00.00'],
  [3600, '60:00.00'],
])('%d seconds read %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text)
})
