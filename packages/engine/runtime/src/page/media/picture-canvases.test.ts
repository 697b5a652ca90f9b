import { expect, test } from 'vitest'
import type { Drawing } from './drawing.ts'
import { createPictureCanvases } from './picture-canvases.ts'

const HELD_BYTES = 4000

/** Canvases of a size, and the numbers of those that show `pictures` pictures one after another. */
const showPictures = (pixels: number, most = Number.POSITIVE_INFINITY) => {
  const all: Drawing[] = []
  const create = () => {
    if (all.length >= most) return undefined
    const drawing = { canvas: { width: pixels, height: 1 } } as Drawing
    all.push(drawing)
    return drawing
  }
  const canvases = createPictureCanvases(create, HELD_BYTES)
  let canvas = create() as Drawing
  const show = (pictures: number) =>
    Array.from({ length: pictures }, () => {
      canvas = canvases.next(canvas)
      return all.indexOf(canvas)
    })
  return { show, clear: canvases.clear }
}

test('a canvas is used again after what captured pictures may hold, and one picture more, has been shown', () => {
  expect(showPictures(500).show(8)).toEqual([1, 2, 3, 0, 1, 2, 3, 0])
  expect(showPictures(250).show(12)).toEqual([1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0])
})

test('pictures larger than that need three canvases', () => {
  expect(showPictures(2000).show(4)).toEqual([1, 2, 0, 1])
})

test('where no other canvas can be created, one shows all pictures', () => {
  expect(showPictures(500, 1).show(3)).toEqual([0, 0, 0])
})

test('canvases that were forgotten are not used again', () => {
  const { show, clear } = showPictures(500)
  show(5)
  clear()
  expect(show(4)).toEqual([4, 5, 6, 1])
})
