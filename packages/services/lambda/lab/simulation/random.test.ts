import { expect, test } from 'vitest'
import { seededRandom, varied } from './random.ts'

const many = <T>(make: () => T) => Array.from({ length: 20_000 }, make)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

test('numbers are even between 0 and 1, and the same for a seed', () => {
  const numbers = many(seededRandom(3))
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...numbers)).toBeLessThan(1)
  expect(mean(numbers)).toBeCloseTo(0.5, 1)
  expect(many(seededRandom(3))).toEqual(numbers)
  expect(many(seededRandom(4))).not.toEqual(numbers)
})

test('varied times have their median in the middle and the spread that was asked for', () => {
  const random = seededRandom(5)
  const times = many(() => varied(20, 0.15, random)).sort((a, b) => a - b)
  expect(times[10_000]).toBeCloseTo(20, 0)
  const outside = times.filter((time) => time < 20 * Math.exp(-0.3) || time > 20 * Math.exp(0.3)).length
  expect(outside / times.length).toBeCloseTo(0.046, 1)
  expect(varied(20, 0, random)).toBe(20)
})
