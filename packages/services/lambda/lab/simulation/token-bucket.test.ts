import { expect, test } from 'vitest'
import { createTokenBucket } from './token-bucket.ts'

test('a full bucket gives its burst at once, then one token each time that one has come', () => {
  const bucket = createTokenBucket({ burst: 3, perSecond: 2 })
  expect([1, 2, 3, 4, 5].map(() => bucket.reserve(0))).toEqual([0, 0, 0, 0.5, 1])
  expect(bucket.reserve(10)).toBe(0)
})

test('tokens do not gather beyond the burst', () => {
  const bucket = createTokenBucket({ burst: 2, perSecond: 1 })
  expect([1, 2, 3].map(() => bucket.tryTake(1000))).toEqual([true, true, false])
  expect(bucket.tryTake(1000.9)).toBe(false)
  expect(bucket.tryTake(1001)).toBe(true)
})

test('without a rate there is no waiting', () => {
  const bucket = createTokenBucket({ burst: Number.POSITIVE_INFINITY, perSecond: Number.POSITIVE_INFINITY })
  expect(bucket.reserve(0, 1e9)).toBe(0)
  expect(bucket.reserve(0, 1e9)).toBe(0)
  expect(bucket.tryTake(0, 1e9)).toBe(true)
})
