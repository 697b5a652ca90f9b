import { expect, test } from 'vitest'
import { isTooDeep, MAX_NESTING } from './nesting.ts'

const nested = (levels: number, innermost: unknown) => {
  let value = innermost
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value }
  return value
}

test('values may nest as deep as the limit', () => {
  for (const value of [null, 'text', 7, [], {}]) expect(isTooDeep(value)).toBe(false)
  expect(isTooDeep(nested(MAX_NESTING, 'text'))).toBe(false)
  expect(isTooDeep(nested(MAX_NESTING + 1, 'text'))).toBe(true)
  expect(isTooDeep(nested(500_000, 'text'))).toBe(true)
})

test('what is reachable in many ways is followed once, and a value in itself has no end', () => {
  let value: unknown = 'text'
  for (let level = 0; level < 100; level += 1) value = [value, value]
  expect(isTooDeep(value)).toBe(false)
  const ring: unknown[] = []
  ring.push(ring)
  expect(isTooDeep(ring)).toBe(true)
})
