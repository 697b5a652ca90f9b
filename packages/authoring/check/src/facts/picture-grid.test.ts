import { expect, test } from 'vitest'
import { createGrids, GRID, luminanceOf } from './picture-grid.ts'

const size = { width: 50, height: 27 }

/** A picture in which a box of one colour stands at a place. */
const pictureOf = (place: number, color: number): Uint8Array => {
  const words = new Uint32Array(size.width * size.height).fill(0xff402010)
  for (let y = 5; y < 12; y++) for (let x = place; x < place + 9; x++) words[y * size.width + x] = color
  return new Uint8Array(words.buffer)
}

const wordsOf = (pixels: Uint8Array) => new Uint32Array(pixels.buffer)

const pictures = [
  pictureOf(3, 0xff0000ff),
  pictureOf(3, 0xff0000ff),
  pictureOf(20, 0xff2040f0),
  pictureOf(41, 0xffffffff),
]

test('a grid that is read after another picture is that of the picture alone', () => {
  const grids = createGrids(size)
  for (const [frame, pixels] of pictures.entries()) {
    const before = pictures[frame - 1]
    const words = wordsOf(pixels)
    const grid = grids({ frame, pixels, words, before: before && wordsOf(before) })
    expect(grid).toEqual(createGrids(size)({ frame, pixels, words, before: undefined }))
  }
})

test('a cell has the mean light of its pixels, and the light of what is saturated red', () => {
  const pixels = pictures[0] ?? new Uint8Array()
  const { luminance, red, flat } = createGrids(size)({ frame: 0, pixels, words: wordsOf(pixels), before: undefined })
  expect(flat).toBe(null)
  expect(luminance).toHaveLength(GRID.columns * GRID.rows)
  const cell = Math.floor((8 * GRID.rows) / size.height) * GRID.columns + Math.floor((7 * GRID.columns) / size.width)
  expect(luminance[cell]).toBeCloseTo(luminanceOf(255, 0, 0), 9)
  expect(red[cell]).toBeCloseTo(1, 9)
  expect(luminance[0]).toBeCloseTo(luminanceOf(0x10, 0x20, 0x40), 9)
  expect(red[0]).toBe(0)
})
