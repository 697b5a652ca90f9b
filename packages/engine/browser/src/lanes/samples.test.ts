import { expect, test } from 'vitest'
import { comparedFrames, findDifference } from './samples.ts'

test('two pictures show the same frame when they are equal, or nearly equal everywhere', () => {
  expect(findDifference({ psnr: null, worstBlock: 0 })).toBeUndefined()
  expect(findDifference({ psnr: 46, worstBlock: 39 })).toBeUndefined()
  expect(findDifference({ psnr: 44.9, worstBlock: 3 })).toMatch(/44\.9 dB/)
  expect(findDifference({ psnr: 60, worstBlock: 41 })).toMatch(/a part/)
})

test('sampled frames depend on the composition, not on how it is divided', () => {
  expect(comparedFrames(0, 1, { last: 0, isCostly: false })).toEqual([0])
  const all = comparedFrames(0, 300, { last: 299, isCostly: false })
  expect(all).toEqual(expect.arrayContaining([0, 120, 240, 299]))
  expect(comparedFrames(121, 118, { last: 239, isCostly: false })).toHaveLength(1)
  const parts = [0, 50, 100, 150, 200, 250].flatMap((start) =>
    comparedFrames(start, 50, { last: 299, isCostly: false }),
  )
  expect(parts).toEqual(all)
})

test('a short range of its own is compared too', () => {
  expect(comparedFrames(60, 3, { last: 74, isCostly: false })).toEqual([])
  expect(comparedFrames(60, 3, { last: 74, isCostly: false, isSegment: true })).toEqual([62])
  expect(comparedFrames(118, 4, { last: 299, isCostly: false, isSegment: true })).toEqual([120])
})

test('of a page whose comparison draws all frames before it again, only early frames are compared', () => {
  const sampled = (start: number, frames: number, last: number) =>
    comparedFrames(start, frames, { last, isCostly: true })
  expect(sampled(0, 300, 299)).toEqual([0, 12])
  expect(sampled(0, 30, 29)).toEqual([0, 3])
  expect(sampled(0, 5, 4)).toEqual([0, 1])
  expect(sampled(0, 1, 0)).toEqual([0])
  expect([...sampled(0, 10, 299), ...sampled(10, 290, 299)]).toEqual([0, 12])
  expect(sampled(120, 120, 299)).toEqual([])
})

test('inner frames are anywhere between the others, and elsewhere in a composition of another length', () => {
  const inner = Array.from({ length: 400 }, (_, index) =>
    comparedFrames(1, 119, { last: 1000 + index, isCostly: false }),
  )
  expect(inner.every(({ length }) => length === 1)).toBe(true)
  const frames = inner.flat()
  expect([Math.min(...frames) < 10, Math.max(...frames) > 110, new Set(frames).size > 80]).toEqual([true, true, true])
})
