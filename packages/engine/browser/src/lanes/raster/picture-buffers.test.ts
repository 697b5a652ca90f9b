import { expect, test } from 'vitest'
import { createPictureBuffers } from './picture-buffers.ts'

const size = { width: 4, height: 8 }
const rows = (first: number, end: number) => ({ first, end })

/** The value of each row, whose pixels are all alike. */
const rowsOf = (data: Uint8Array) => Array.from({ length: size.height }, (_, row) => data[row * size.width * 4])

test('each picture is the one before with its rows, and the one before stays', () => {
  const pictures = createPictureBuffers('rgba', size)
  const next = (value: number, ...bands: ReturnType<typeof rows>[]) => {
    const { data, parts } = pictures.next(bands)
    for (const part of parts) part.fill(value)
    return data
  }
  const first = next(1, rows(0, 8))
  expect(rowsOf(first)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  const second = next(2, rows(2, 4), rows(6, 8))
  expect(rowsOf(second)).toEqual([1, 1, 2, 2, 1, 1, 2, 2])
  expect(rowsOf(first)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  const third = next(3, rows(0, 3))
  expect(third).toBe(first)
  expect(rowsOf(third)).toEqual([3, 3, 3, 2, 1, 1, 2, 2])
  expect(rowsOf(second)).toEqual([1, 1, 2, 2, 1, 1, 2, 2])
  expect(rowsOf(next(4, rows(7, 8)))).toEqual([3, 3, 3, 2, 1, 1, 2, 4])
})

test('planar pictures take the rows of each plane', () => {
  const pictures = createPictureBuffers('yuva420p', size)
  for (const [index, part] of pictures.next([rows(0, 8)]).parts.entries()) part.fill(index + 1)
  const { data, parts } = pictures.next([rows(2, 4)])
  for (const part of parts) part.fill(9)
  const of = (value: number, count: number) => Array.from({ length: count }, () => value)
  const expected = [8, 8, 16, 2, 2, 4, 2, 2, 4, 8, 8, 16].flatMap((count, index) => of(index % 3 === 1 ? 9 : 1, count))
  expect([...data]).toEqual(expected)
})
