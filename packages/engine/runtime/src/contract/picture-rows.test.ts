import { expect, test } from 'vitest'
import { createBands, partsOf, withoutRows } from './picture-rows.ts'

const band = (first: number, end: number) => ({ first, end })

test('bands that are close to each other become one', () => {
  const { bands, add } = createBands()
  for (const rows of [band(0, 2), band(2, 4), band(20, 22), band(80, 82)]) add(rows)
  expect(bands).toEqual([band(0, 22), band(80, 82)])
})

test.each([
  ['nothing', [band(2, 8)], [], [band(2, 8)]],
  ['the middle', [band(2, 8)], [band(4, 6)], [band(2, 4), band(6, 8)]],
  ['both ends', [band(2, 8)], [band(0, 4), band(6, 9)], [band(4, 6)]],
  ['all of it', [band(2, 8)], [band(0, 20)], []],
  ['parts of several', [band(0, 4), band(8, 12)], [band(2, 10)], [band(0, 2), band(10, 12)]],
])('rows without %s', (_name, bands, others, rest) => {
  expect(withoutRows(bands, others)).toEqual(rest)
})

/** Each byte is its own position. */
const positions = (bytes: number) => Uint8Array.from({ length: bytes }, (_, index) => index)

test('the rows of a planar picture are rows of its planes', () => {
  const layout = { width: 4, height: 8, planar: true, alpha: true }
  const parts = partsOf(positions(80), [band(2, 4), band(6, 8)], layout)
  expect(parts.map((part) => [part[0], part.length])).toEqual([
    [8, 8],
    [24, 8],
    [34, 2],
    [38, 2],
    [42, 2],
    [46, 2],
    [56, 8],
    [72, 8],
  ])
})

test('a whole picture is one part', () => {
  const layout = { width: 4, height: 8, planar: true, alpha: true }
  expect(partsOf(positions(80), [band(0, 8)], layout).map(({ length }) => length)).toEqual([80])
  const rgba = { width: 4, height: 5, planar: false, alpha: false }
  expect(partsOf(positions(80), [band(0, 5)], rgba).map(({ length }) => length)).toEqual([80])
})
