import { decodePng } from '@vid/testkit'
import { expect, test } from 'vitest'
import { encodeFastPng } from './png.ts'
import { createReduction, reducePixels } from './reduced-image.ts'

const pixelsOf = (width: number, ...pixels: readonly (readonly [number, number, number, number])[]) => ({
  width,
  height: pixels.length / width,
  data: Uint8Array.from(pixels.flat()),
})

test('a square becomes the average of its pixels', () => {
  const pixels = pixelsOf(2, [0, 10, 255, 255], [100, 10, 255, 255], [0, 30, 255, 255], [100, 30, 255, 255])
  expect(reducePixels(pixels, 2)).toEqual(pixelsOf(1, [50, 20, 255, 255]))
})

test('a transparent pixel gives its square no colour', () => {
  const pixels = pixelsOf(2, [200, 100, 50, 255], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0])
  expect(reducePixels(pixels, 2)).toEqual(pixelsOf(1, [200, 100, 50, 64]))
  const empty = pixelsOf(2, ...Array.from({ length: 4 }, () => [9, 9, 9, 0] as const))
  expect(reducePixels(empty, 2)).toEqual(pixelsOf(1, [0, 0, 0, 0]))
})

test('what is left at the right and below is averaged by itself', () => {
  const grey = (value: number) => [value, value, value, 255] as const
  const pixels = pixelsOf(3, ...[10, 20, 30, 30, 40, 50, 60, 70, 80].map(grey))
  expect(reducePixels(pixels, 2)).toEqual(pixelsOf(2, ...[25, 40, 65, 80].map(grey)))
})

test('an image becomes a PNG file that another program reads, and a repeated one the same text', () => {
  const reduce = createReduction(2)
  const image = encodeFastPng(
    pixelsOf(2, [0, 0, 0, 255], [40, 80, 120, 255], [0, 0, 0, 255], [40, 80, 120, 255]),
  ).toString('base64')
  const reduced = reduce(image)
  expect(decodePng(Buffer.from(reduced, 'base64'))).toEqual(pixelsOf(1, [20, 40, 60, 255]))
  expect(reduce(image)).toBe(reduced)
  expect(createReduction(1)(image)).toBe(image)
})
