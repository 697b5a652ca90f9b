import { expect, test } from 'vitest'
import { areEqual, comparePictures } from './likeness.ts'

const shape = { width: 64, height: 48, planar: false }
const grey = () => new Uint8Array(64 * 48 * 4).fill(128)

test('equal pictures have no difference', () => {
  expect(comparePictures(grey(), grey(), shape)).toEqual({ psnr: null, worstBlock: 0 })
})

test('a shift of all pixels is measured in dB, and a missing block by its mean', () => {
  const { psnr } = comparePictures(grey(), grey().fill(136), shape)
  expect(psnr).toBeCloseTo(10 * Math.log10((255 * 255) / 64), 6)
  const block = grey()
  for (let y = 16; y < 32; y++) block.fill(38, (y * 64 + 16) * 4, (y * 64 + 32) * 4)
  expect(comparePictures(grey(), block, shape).worstBlock).toBe(90)
})

test('each plane of a planar picture is compared in blocks of its own size', () => {
  const planar = { ...shape, planar: true }
  const one = new Uint8Array(64 * 48 * 1.5)
  const other = one.slice()
  // A block of eight by eight chromas, in the corner of the last plane.
  for (let y = 0; y < 8; y++) other.fill(50, 64 * 48 * 1.25 + y * 32, 64 * 48 * 1.25 + y * 32 + 8)
  expect(comparePictures(one, other, planar).worstBlock).toBe(50)
  expect(comparePictures(one, other, planar).psnr).toBeCloseTo(10 * Math.log10((255 * 255 * 4608) / (64 * 2500)), 6)
})

test('edges that are smoothed in another way are no difference where that is allowed, but another picture is', () => {
  const smoothed = { ...shape, smoothed: true }
  const edge = (values: readonly number[], from = 30) => {
    const picture = grey()
    for (let y = 0; y < 48; y++)
      for (let x = from; x < 64; x++) picture.fill(values[x - from] ?? 0, (y * 64 + x) * 4, (y * 64 + x + 1) * 4)
    return picture
  }
  expect(comparePictures(edge([]), edge([64]), smoothed).psnr).toBeNull()
  expect(comparePictures(edge([]), edge([64]), shape).psnr).toBeLessThan(40)
  expect(comparePictures(edge([]), edge([], 34), smoothed).psnr).toBeLessThan(25)
})

test('one other byte makes pictures unequal, also in a size that is no multiple of 8', () => {
  for (const length of [16, 20]) {
    const one = new Uint8Array(length).fill(7)
    const other = one.slice()
    expect(areEqual(one, other)).toBe(true)
    other[length - 1] = 8
    expect(areEqual(one, other)).toBe(false)
  }
})
