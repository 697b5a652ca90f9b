import { expect, test } from 'vitest'
import { orderOf, type Plane, signedArea } from './planes.ts'

/** A square of 10 pixels at a place, its left edge at one depth and its right edge at another. */
const square = (left: number, near: number, far = near): Plane => [
  { x: left, y: 0, z: near },
  { x: left + 10, y: 0, z: far },
  { x: left + 10, y: 10, z: far },
  { x: left, y: 10, z: near },
]

test('what is nearer covers what it meets on the screen, and in one plane the later one does', () => {
  expect(orderOf(square(0, 0), square(5, 1))).toBe(1)
  expect(orderOf(square(0, 1), square(5, 0))).toBe(-1)
  expect(orderOf(square(0, 0), square(5, 0))).toBe(1)
})

test('planes beside each other, or seen from their edge, cover nothing', () => {
  expect(orderOf(square(0, 0), square(10, 5))).toBe(0)
  const edge = square(5, 3).map((point) => ({ ...point, x: 5 }))
  expect(orderOf(edge, square(0, 0))).toBe(0)
})

test('a tilted plane is ordered by where it is met, and planes that cross have no order', () => {
  expect(orderOf(square(0, -20, 0), square(5, 1))).toBe(1)
  expect(orderOf(square(0, 20, 30), square(5, 1))).toBe(-1)
  expect(orderOf(square(0, -5, 5), square(0, 5, -5))).toBeUndefined()
})

test('a plane whose back is seen has a negative area', () => {
  expect(signedArea(square(0, 0))).toBe(200)
  expect(signedArea([...square(0, 0)].reverse())).toBe(-200)
})
