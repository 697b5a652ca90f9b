import { expect, test } from 'vitest'
import { nextZoom, panAround, scaleOf } from './stage-view.ts'

test('a picture that fits keeps its shape and a margin', () => {
  expect(scaleOf('fit', { width: 1920, height: 1080 }, { width: 1008, height: 800 })).toBe(0.5)
  expect(scaleOf('fit', { width: 100, height: 100 }, { width: 448, height: 248 })).toBe(2)
  expect(scaleOf('fit', { width: 100, height: 100 }, { width: 0, height: 0 })).toBeGreaterThan(0)
  expect(scaleOf(3, { width: 100, height: 100 }, { width: 10, height: 10 })).toBe(3)
})

test('zoom goes by steps, also from between them and beyond them', () => {
  expect(nextZoom(0.6, 1)).toBe(0.75)
  expect(nextZoom(0.6, -1)).toBe(0.5)
  expect(nextZoom(1, 1)).toBe(1.5)
  expect(nextZoom(8, 1)).toBe(16)
  expect(nextZoom(0.06, -1)).toBe(0.05)
})

test('the point under the pointer stays where it is', () => {
  const pan = panAround({ x: 10, y: 0 }, { x: 100, y: 50 }, 2)
  // What was 90 px to the left of the pointer is 180 px to the left of it.
  expect(pan).toEqual({ x: -80, y: -50 })
})
