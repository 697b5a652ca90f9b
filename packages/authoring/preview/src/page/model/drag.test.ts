import { expect, test } from 'vitest'
import { dragBy, draggedWindow, frameTime } from './drag.ts'
import { secondPoints } from './snap.ts'

const rules = { windows: [{ start: 1, end: 3 }], points: [], perSecond: 100, rate: 30 } as const

test('a clip that is dragged stays on frames', () => {
  const drag = dragBy('move', 0.512, rules)
  expect(drag.by).toBeCloseTo(0.5, 9)
  expect(drag.snap).toBeNull()
  expect(draggedWindow(rules.windows[0], drag)).toEqual({ start: 1.5, end: 3.5 })
})

test('an edge within reach of a point snaps to it, whichever edge it is', () => {
  const points = [{ seconds: 3.62, kind: 'clip' }] as const
  expect(dragBy('move', 0.56, { ...rules, points })).toEqual({
    kind: 'move',
    by: expect.closeTo(0.62, 9),
    snap: points[0],
  })
  expect(dragBy('move', 0.4, { ...rules, points }).snap).toBeNull()
  expect(dragBy('trimStart', 2, { ...rules, points }).snap).toBeNull()
})

test('the playhead wins over a second at the same place', () => {
  const points = [...secondPoints(5, 100), { seconds: 2, kind: 'playhead' }] as const
  expect(dragBy('trimEnd', -0.98, { ...rules, points }).snap?.kind).toBe('playhead')
})

test('no clip begins before 0, and none is trimmed to nothing', () => {
  expect(dragBy('move', -5, rules).by).toBe(-1)
  expect(dragBy('trimStart', 9, rules).by).toBeCloseTo(2 - 1 / 30, 9)
  expect(dragBy('trimEnd', -9, rules).by).toBeCloseTo(1 / 30 - 2, 9)
})

test('a time that is written shows its frame, and not the one before', () => {
  for (let frame = 0; frame < 500; frame += 1)
    for (const [rate, perSecond] of [
      [30, 30],
      ['30000/1001', 30_000 / 1001],
    ] as const) {
      const seconds = frameTime(frame / perSecond, rate)
      expect(seconds).toBeLessThanOrEqual(frame / perSecond + 1e-9)
      if (frame > 0) expect(seconds).toBeGreaterThan((frame - 1) / perSecond)
    }
})

test('seconds are no points where they are too close to be told apart', () => {
  expect(secondPoints(600, 2)).toEqual([])
  expect(secondPoints(2.5, 100).map(({ seconds }) => seconds)).toEqual([0, 1, 2])
})
