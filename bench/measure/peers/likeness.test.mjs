import { expect, test } from 'vitest'
import { comparePictures, isSamePicture } from './likeness.mjs'

const picture = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index % 100 < 10 ? 220 : 30)))

test('the same picture in another encoding is the same', () => {
  const noisy = picture.map((value, index) => value + (index % 3) - 1)
  const likeness = comparePictures([[picture, noisy]])
  expect(likeness.psnr).toBeGreaterThan(45)
  expect(isSamePicture(likeness)).toBe(true)
})

test('a plain picture is not the same, however much of the other is background', () => {
  expect(isSamePicture(comparePictures([[picture, Buffer.alloc(3000, 30)]]))).toBe(false)
  expect(isSamePicture(comparePictures([[picture, Buffer.alloc(3000, 49)]]))).toBe(false)
})

test('a picture with its object at another place is not the same', () => {
  const moved = Buffer.concat([picture.subarray(50), picture.subarray(0, 50)])
  expect(isSamePicture(comparePictures([[picture, moved]]))).toBe(false)
})

test('pictures of other sizes are refused', () => {
  expect(() => comparePictures([[picture, picture.subarray(3)]])).toThrow('3000 and 2997 samples')
})

test('a plain frame between others counts for the little that it shows', () => {
  const plain = Buffer.alloc(3000, 30)
  const nearly = Buffer.alloc(3000, 31)
  expect(
    isSamePicture(
      comparePictures([
        [plain, nearly],
        [picture, picture],
      ]),
    ),
  ).toBe(true)
  expect(
    isSamePicture(
      comparePictures([
        [plain, plain],
        [picture, plain],
      ]),
    ),
  ).toBe(false)
})
