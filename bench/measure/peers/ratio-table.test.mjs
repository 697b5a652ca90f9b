import { expect, test } from 'vitest'
import { medianOf, ratioOf, ratioTable } from './ratio-table.mjs'

const pair = (vid, peer) => ({
  vid: { wallMs: vid, cpuMs: vid * 2 },
  peer: { wallMs: peer, cpuMs: peer },
  x264: { wallMs: 700, cpuMs: 1000 },
})
const row = { composition: 'ball', peer: 'Other', likeness: { psnr: 41.26 } }

test('the median of an even count is the lower one of the middle two', () => {
  expect(medianOf([9, 1, 5])).toBe(5)
  expect(medianOf([4, 1, 3, 2])).toBe(2)
})

test('a ratio is taken of each pair before its median and spread', () => {
  // The ratio of the medians would be 2.
  expect(ratioOf([pair(1000, 4000), pair(2000, 3000), pair(4000, 8000)])).toEqual({
    median: 2,
    min: 1.5,
    max: 4,
  })
  expect(ratioOf([pair(1000, 6000), pair(2000, 2000), pair(4000, 12_000)]).median).toBe(3)
  expect(ratioOf([])).toBeUndefined()
})

test('a row has both times, the ratio with its spread, and the likeness', () => {
  const table = ratioTable([{ ...row, pairs: [pair(1000, 3000), pair(1000, 2000), pair(1000, 4000)] }])
  expect(table.split('\n').at(-1)).toBe('| ball | Other | 1.00 s | 3.00 s | 3.00 (2.00–4.00) | 1.50 | 2.00 | 41.3 dB |')
})

test('a peer that is faster is marked', () => {
  expect(ratioTable([{ ...row, pairs: [pair(1000, 800)] }])).toContain('0.80 (0.80–0.80), the peer is faster')
})

test('a render that shows something else has no ratio', () => {
  const problem = 'not counted: 100 % of the picture differs'
  const table = ratioTable([{ ...row, pairs: [pair(1000, 10)], problem }])
  expect(table.split('\n').at(-1)).toBe(`| ball | Other | ${problem} |  |  |  |  |  |`)
})
