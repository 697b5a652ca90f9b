import { expect, test } from 'vitest'
import { partsOf, type RowLayout } from '../../contract/picture-rows.ts'
import { planarModule } from '../../planar.ts'
import { createPicturePlanes } from './picture-planes.ts'

const open = async (layout: RowLayout, straight: boolean) => {
  const { instance } = await WebAssembly.instantiate(Buffer.from(planarModule(), 'base64'))
  return createPicturePlanes(instance.exports as unknown as Parameters<typeof createPicturePlanes>[0], layout, straight)
}

/** The same numbers below `limit` in each run. */
const createDice = () => {
  let state = 5
  return (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** Premultiplied pixels, or opaque ones, in a rectangle of a picture. */
const paint = (pixels: Uint8Array, { width, height, alpha }: RowLayout, dice: (limit: number) => number) => {
  const [left, top] = [dice(width), dice(height)]
  const [right, bottom] = [left + 1 + dice(width - left), top + 1 + dice(height - top)]
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const opacity = alpha ? dice(256) : 255
      pixels.set([dice(opacity + 1), dice(opacity + 1), dice(opacity + 1), opacity], (y * width + x) * 4)
    }
}

test.each([
  ['planar', { width: 64, height: 120, planar: true, alpha: false }, false],
  ['narrow planar', { width: 18, height: 4, planar: true, alpha: false }, false],
  ['planar with alpha', { width: 50, height: 86, planar: true, alpha: true }, false],
  ['straight planar with alpha', { width: 50, height: 86, planar: true, alpha: true }, true],
  ['rgba', { width: 7, height: 101, planar: false, alpha: false }, false],
  ['rgba with alpha', { width: 33, height: 77, planar: false, alpha: true }, false],
  ['straight rgba', { width: 33, height: 77, planar: false, alpha: true }, true],
  ['one pixel', { width: 1, height: 1, planar: false, alpha: false }, false],
] as const)('%s: the rows that changed make each picture out of the one before', async (_name, layout, straight) => {
  const dice = createDice()
  const planes = await open(layout, straight)
  const source = new Uint8Array(layout.width * layout.height * 4).fill(255)
  let received = new Uint8Array()
  let partial = 0
  for (let picture = 0; picture < 40; picture++) {
    // Every fifth picture equals the one before.
    if (picture % 5 !== 4) paint(source, layout, dice)
    const whole = await open(layout, straight)
    whole.source().set(source)
    const expected = whole.convert().slice()
    planes.source().set(source)
    const { pixels, changed } = planes.update()
    expect(Buffer.from(pixels).equals(expected)).toBe(true)
    if (picture === 0) {
      expect(changed).toEqual([{ first: 0, end: layout.height }])
      received = new Uint8Array(pixels.length)
    }
    if (picture % 5 === 4) expect(changed).toEqual([])
    const from = partsOf(pixels, changed, layout)
    for (const [index, part] of partsOf(received, changed, layout).entries()) part.set(from[index] ?? [])
    expect(Buffer.from(received).equals(expected)).toBe(true)
    if (from.reduce((sum, part) => sum + part.length, 0) < pixels.length) partial += 1
    // Another canvas is read between two pictures.
    planes.source().fill(picture)
    planes.convert()
  }
  expect(partial).toBeGreaterThan(7)
})
