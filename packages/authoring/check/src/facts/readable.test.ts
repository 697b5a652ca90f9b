import { compositionFacts } from '@vid/testkit'
import { expect, test } from 'vitest'
import { leftDimmed } from './readable.ts'

const { texts: spans } = compositionFacts({
  texts: [{ frames: [0, 30] }, { frames: [30, 90], opacity: 0.22 }],
  frames: 90,
})

test('a text that stays dimmed is read where nothing new comes', () => {
  expect(leftDimmed(spans, [{ element: 1, frame: 0 }], 30)).toEqual([spans[1]])
})

test.each([
  ['something comes in its place', spans, [{ element: 1, frame: 28 }]],
  ['something comes later', spans, [{ element: 1, frame: 70 }]],
  ['it is dimmed for a moment', [spans[0], { ...spans[1], frames: [30, 50] as const }], []],
  ['it never was brighter', [{ ...spans[0], opacity: 0.22 }, spans[1]], []],
])('a dimmed text is over where %s', (_, list, arrivals) => {
  expect(leftDimmed(list as typeof spans, arrivals, 30)).toEqual([])
})
