import { expect, test } from 'vitest'
import { fillShape, shapeTemplate } from './shape-path.ts'

test.each([
  ['out/film-{shape}.mp4', 'out/film-9x16.mp4'],
  ['{shape}/{shape}.mp4', '9x16/9x16.mp4'],
  ['out/film.mp4', 'out/film-9x16.mp4'],
  ['out/film.MP4', 'out/film-9x16.MP4'],
  // A folder of pictures, and ends that are no extensions.
  ['out/frames', 'out/frames-9x16'],
  ['out/take 1.5', 'out/take 1.5-9x16'],
  ['out.d/J. Smith', 'out.d/J. Smith-9x16'],
])('%s has a place for a shape at %s', (path, filled) => {
  expect(fillShape(shapeTemplate(path), '9:16')).toBe(filled)
})
