import { expect, test } from 'vitest'
import { parseByteRange } from './byte-range.ts'

test.each([
  ['bytes=0-3', { start: 0, end: 3 }],
  ['bytes=4-', { start: 4, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-30', { start: 0, end: 9 }],
  ['bytes=8-99', { start: 8, end: 9 }],
  ['bytes=9-9', { start: 9, end: 9 }],
])('%s of ten bytes is a range', (header, range) => {
  expect(parseByteRange(header, 10)).toEqual(range)
})

test.each(['bytes=10-', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])('%s is outside of ten bytes', (header) => {
  expect(parseByteRange(header, 10)).toBe('unsatisfiable')
})

test.each([undefined, '', 'bytes=-', 'bytes=5-2', 'bytes=0-1,4-5', 'lines=0-3', 'bytes=a-b'])(
  '%s asks for the whole file',
  (header) => {
    expect(parseByteRange(header, 10)).toBeUndefined()
  },
)
