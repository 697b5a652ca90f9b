import { expect, test } from 'vitest'
import { stripPlacement } from './strip-placement.ts'

test('the picture of a source begins where the clip begins in it, at the speed of the clip', () => {
  expect(stripPlacement({ mediaStart: 0, rate: 1 }, 10, 50)).toEqual({ width: 500, offset: 0 })
  expect(stripPlacement({ mediaStart: 2, rate: 1 }, 10, 50)).toEqual({ width: 500, offset: -100 })
  expect(stripPlacement({ mediaStart: 2, rate: 2 }, 10, 50)).toEqual({ width: 250, offset: -50 })
})
