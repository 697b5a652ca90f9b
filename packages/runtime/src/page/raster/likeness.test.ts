import { expect, test } from 'vitest'
import { compare } from './likeness.ts'

const shape = { width: 64, height: 48, planar: false }
const grey = () => new Uint8Array(64 * 48 * 4).fill(128)

test('equal pictures differ in nothing', () => {
  expect(compare(grey(), grey(), shape)).toEqual({ psnr: null, worstBlock: 0 })
})

test('a shift of all is told in dB, and a missing block by its mean', () => {
  const { psnr } = compare(grey(), grey().fill(136), shape)
  expect(psnr).toBeCloseTo(10 * Math.log10((255 * 255) / 64), 6)
  const block = grey()
  for (let y = 16; y < 32; y++) block.fill(38, (y * 64 + 16) * 4, (y * 64 + 32) * 4)
  expect(compare(grey(), block, shape).worstBlock).toBe(90)
})

test('the planes of a planar picture are compared in blocks of their own', () => {
  const planar = { ...shape, planar: true }
  const one = new Uint8Array(64 * 48 * 1.5)
  const other = one.slice()
  // A block of eight by eight chromas, in the corner of the last plane.
  for (let y = 0; y < 8; y++) other.fill(50, 64 * 48 * 1.25 + y * 32, 64 * 48 * 1.25 + y * 32 + 8)
  expect(compare(one, other, planar).worstBlock).toBe(50)
  expect(compare(one, other, planar).psnr).toBeCloseTo(10 * Math.log10((255 * 255 * 4608) / (64 * 2500)), 6)
})
