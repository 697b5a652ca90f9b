import { expect, test } from 'vitest'
import { compare, findDifference, sampledFrames } from './likeness.ts'

const [width, height] = [64, 48]
const grey = () => new Uint8Array(width * height * 4).fill(128)
const picture = { width, height, data: grey() }

test('equal pictures differ in nothing', () => {
  expect(compare(picture, grey())).toEqual({ psnr: Infinity, worstBlock: 0 })
  expect(findDifference(picture, grey())).toBeUndefined()
})

test('smoothed edges are the same frame, a missing block and a shift of all are not', () => {
  const edges = grey()
  for (let at = 0; at < edges.length; at += 400) edges[at] = 160
  expect(findDifference(picture, edges)).toBeUndefined()
  const everywhere = grey().fill(136)
  expect(findDifference(picture, everywhere)).toMatch(/dB/)
  const large = { width: 1920, height: 1080, data: new Uint8Array(1920 * 1080 * 4) }
  const block = new Uint8Array(large.data)
  for (let y = 32; y < 48; y++) block.fill(90, (y * 1920 + 32) * 4, (y * 1920 + 48) * 4)
  expect(compare(large, block).psnr).toBeGreaterThan(40)
  expect(findDifference(large, block)).toMatch(/a part/)
})

test('samples are the first and the last frame and some between, in order and once', () => {
  expect(sampledFrames(7, 1)).toEqual([7])
  expect(sampledFrames(0, 2)).toEqual([0, 1])
  expect(sampledFrames(120, 121)).toEqual([120, 180, 240])
  expect(sampledFrames(0, 240)).toHaveLength(5)
})
