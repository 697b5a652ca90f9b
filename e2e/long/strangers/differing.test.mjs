import { expect, test } from 'vitest'
import { differingPart } from './differing.mjs'

const SIZE = { width: 100, height: 50 }
const GREY = [64, 64, 64, 255]
const WHITE = [255, 255, 255, 255]

/** A picture with a box of 20 by 20 pixels. */
const boxAt = (left, top, colour = WHITE, back = GREY) => {
  const pixels = Array.from({ length: SIZE.width * SIZE.height }, (_, index) => {
    const [x, y] = [index % SIZE.width, Math.floor(index / SIZE.width)]
    return x >= left && x < left + 20 && y >= top && y < top + 20 ? colour : back
  })
  return { ...SIZE, data: Uint8Array.from(pixels.flat()) }
}

test('equal pictures differ nowhere, and pictures of two sizes everywhere', () => {
  expect(differingPart(boxAt(10, 10), boxAt(10, 10))).toBe(0)
  expect(differingPart(boxAt(10, 10), { ...boxAt(10, 10), width: 50, height: 100 })).toBe(1)
})

test('what is a pixel off is the same, and what is further off differs by its edges', () => {
  expect(differingPart(boxAt(10, 10), boxAt(11, 11))).toBe(0)
  // Of the five columns at either side one is within reach where the box has become the ground.
  expect(differingPart(boxAt(10, 10), boxAt(15, 10))).toBeCloseTo((4 * 20 + 5 * 18) / 5000, 2)
})

test('what is missing in either picture differs', () => {
  const empty = boxAt(-100, -100)
  expect(differingPart(boxAt(10, 10), empty)).toBeGreaterThanOrEqual(400 / 5000)
  expect(differingPart(empty, boxAt(10, 10))).toBeGreaterThan(0.05)
})

test('a colour differs where its luma does not', () => {
  // 0.2126 × 200 is 0.0722 × 255 and a part of green.
  const [red, blue] = [
    [200, 0, 0, 255],
    [0, 34, 255, 255],
  ]
  expect(differingPart(boxAt(12, 12, red), boxAt(12, 12, blue))).toBeGreaterThan(0.05)
})
