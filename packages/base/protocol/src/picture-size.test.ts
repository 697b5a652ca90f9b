import { expect, test } from 'vitest'
import {
  isPictureSize,
  ladderRungs,
  layoutSize,
  readLadder,
  readScale,
  readShape,
  readShapes,
  scaledSize,
  scaleTo,
  shapedSize,
  shapeName,
  sizesNear,
} from './picture-size.ts'

const HD = { width: 1920, height: 1080 }

test.each([
  [0.5, '1/2'],
  ['2', 2],
  ['1/3', '1/3'],
  ['0.75', '3/4'],
  ['1.000', 1],
])('%s is the scale %s', (value, scale) => {
  expect(readScale(value)).toBe(scale)
})

test.each(['0', '0.04', '8.1', '-1', '2x', '1/0', 'half'])('"%s" is no scale', (value) => {
  expect(readScale(value)).toBeUndefined()
})

test('a ladder has one spelling, the largest size first', () => {
  expect(readLadder('480, 1080,720')).toBe('1080,720,480')
  expect(ladderRungs('1080,720,480')).toEqual([1080, 720, 480])
})

test.each(['', '720,', '720,720', '481', '62', '4322', '1e3', '720p', '-720'])('"%s" is no ladder', (value) => {
  expect(readLadder(value)).toBeUndefined()
})

test('a size is scaled and back without rounding', () => {
  expect(scaledSize(HD, '1/3')).toEqual({ width: 640, height: 360 })
  expect(layoutSize({ width: 640, height: 360 }, '1/3')).toEqual(HD)
})

test('a size of the same shape has a scale, another has none', () => {
  expect(scaleTo(HD, { width: 1280, height: 720 })).toBe('2/3')
  expect(scaleTo(HD, { width: 3840, height: 2160 })).toBe(2)
  expect(scaleTo(HD, { width: 854, height: 480 })).toBeUndefined()
  expect(sizesNear(HD, 854)).toEqual([
    { width: 848, height: 477 },
    { width: 864, height: 486 },
  ])
})

test('a picture has whole pixels, and no more than H.264 has a level for', () => {
  expect(isPictureSize({ width: 7680, height: 4320 })).toBe(true)
  expect(isPictureSize({ width: 640.5, height: 360 })).toBe(false)
  expect(isPictureSize({ width: 15_360, height: 8640 })).toBe(false)
})

test.each([
  ['16:9,9:16,1:1', '16:9,9:16,1:1'],
  [' 9:16 , 4:5 ', '9:16,4:5'],
  ['100:99', '100:99'],
  ['9:16,9:16', undefined],
  ['9x16', undefined],
  ['0:1', undefined],
  ['09:16', undefined],
  ['101:1', undefined],
  ['', undefined],
  ['1:1,', undefined],
  ['1:1,1:2,1:3,1:4,1:5,1:6,1:7,1:8,1:9', undefined],
])('a list of shapes %j is read as %j', (text, shapes) => {
  expect(readShapes(text)).toBe(shapes)
})

test('one shape is no list', () => {
  expect(readShape('9:16')).toBe('9:16')
  expect(readShape('9:16,1:1')).toBeUndefined()
  expect(shapeName('9:16')).toBe('9x16')
})

test.each([
  ['1920x1080', '9:16', '1080x1920'],
  ['1920x1080', '1:1', '1080x1080'],
  ['1920x1080', '4:5', '1080x1350'],
  ['1920x1080', '21:9', '2520x1080'],
  ['1920x1080', '16:9', '1920x1080'],
  ['1080x1920', '16:9', '1920x1080'],
  ['640x360', '3:4', '360x480'],
  // Rounded to the nearest even length.
  ['640x361', '9:16', '362x644'],
  ['1000x500', '3:7', '500x1166'],
  // A page that has the shape already keeps its size, even an odd one.
  ['405x720', '9:16', '405x720'],
])('a page of %s is %s in %s', (page, shape, size) => {
  const [width = 0, height = 0] = page.split('x').map(Number)
  const shaped = shapedSize({ width, height }, shape)
  expect(`${shaped.width}x${shaped.height}`).toBe(size)
})
