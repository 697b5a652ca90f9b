import { expect, test } from 'vitest'
import { KNOWN_BEFORE } from '../../contract/raster.ts'
import { createHappenings, type FrameFacts } from './happenings.ts'

const FRAMES = 120

/** The frames in which something happens, as pages find them that capture some parts each. */
const foundBy = (factsOf: (frame: number) => FrameFacts, starts: readonly number[]) =>
  starts.flatMap((start, index) => {
    const happenings = createHappenings()
    for (const frame of happenings.missing(start)) happenings.look(frame, factsOf(frame))
    const end = starts[index + 1] ?? FRAMES
    const frames = Array.from({ length: end - start }, (_, offset) => start + offset)
    return frames.filter((frame) => happenings.look(frame, factsOf(frame)))
  })

test.each([
  ['a fact that changes and changes back', (frame: number) => ({ a: [frame === 50] }), [50]],
  ['two that change after each other', (frame: number) => ({ a: [frame > 49], b: [frame > 53] }), [50, 54]],
  ['one that changes in each frame from one on', (frame: number) => ({ a: [Math.max(frame, 30)] }), [31]],
  ['one that changes every 20 frames', (frame: number) => ({ a: [Math.floor(frame / 20)] }), [20, 40, 60, 80, 100]],
  ['a longer list', (frame: number) => ({ a: Array(frame < 7 ? 1 : 2).fill(0) }), [7]],
  ['nothing', () => ({ a: [1] }), []],
])('%s is found in the same frames, however the range is divided', (_, factsOf, frames) => {
  expect(foundBy(factsOf, [0])).toEqual(frames)
  expect(foundBy(factsOf, [0, 6, 31, 50, 51, 55, 90])).toEqual(frames)
  expect(foundBy(factsOf, [0, 13, 45, 62, 101])).toEqual(frames)
})

test('a page that goes on looks at no frame twice, and one that jumps only at those shortly before', () => {
  const happenings = createHappenings()
  expect(happenings.missing(0)).toEqual([])
  for (let frame = 0; frame < 20; frame++) happenings.look(frame, {})
  expect(happenings.missing(20)).toEqual([])
  expect(happenings.missing(24)).toEqual([20, 21, 22, 23])
  expect(happenings.missing(100)).toEqual(
    Array.from({ length: KNOWN_BEFORE }, (_, index) => 100 - KNOWN_BEFORE + index),
  )
})
