import { expect, test } from 'vitest'
import { createPictureCollection, UNCOLLECTED_BYTES } from './picture-collection.ts'

/** The numbers of the pictures, of a size, after which garbage is collected, and the bytes that are allocated for it. */
const collectionsOf = (pictureBytes: number, pictures: number, images = 1) => {
  const collections: [picture: number, bytes: number][] = []
  let picture = 0
  const collection = createPictureCollection(pictureBytes, (bytes) => collections.push([picture, bytes]))
  for (picture = 1; picture <= pictures; picture++) collection.add(images)
  return collections
}

test('garbage is collected after as many pictures as may be held, and not after each', () => {
  expect(collectionsOf(UNCOLLECTED_BYTES / 8, 20)).toEqual([
    [8, UNCOLLECTED_BYTES],
    [16, UNCOLLECTED_BYTES],
  ])
})

test('garbage is collected after each picture that is larger than what may be held', () => {
  const bytes = 2 * UNCOLLECTED_BYTES
  expect(collectionsOf(bytes, 2)).toEqual([
    [1, 4 * bytes],
    [2, 4 * bytes],
  ])
})

test('garbage is collected the sooner, the more images each picture holds', () => {
  const picturesOf = (images: number) => collectionsOf(UNCOLLECTED_BYTES / 8, 8, images).map(([picture]) => picture)
  expect([1, 2, 4].map(picturesOf)).toEqual([[8], [4, 8], [2, 4, 6, 8]])
})

test('pictures without images are collected four times as late', () => {
  expect(collectionsOf(UNCOLLECTED_BYTES / 8, 70, 0).map(([picture]) => picture)).toEqual([32, 64])
})
