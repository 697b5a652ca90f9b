import { expect, test } from 'vitest'
import { readShape, readShapes, shapedSize, shapeName } from './shape.ts'

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
