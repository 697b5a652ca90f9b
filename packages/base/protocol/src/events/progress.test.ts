import { expect, test } from 'vitest'
import { advanceProgress, type ProgressState } from './progress.ts'

const states = (...reports: readonly (readonly ['plan' | 'render' | 'join', number, number])[]) => {
  const list: ProgressState[] = []
  for (const [stage, framesRendered, nowMs] of reports)
    list.push(advanceProgress(list.at(-1), { stage, framesRendered, totalFrames: 200 }, nowMs))
  return list
}

test('speed and remaining time are measured from the first report of frames', () => {
  const [plan, first, second] = states(['plan', 0, 0], ['render', 20, 1000], ['render', 60, 3000])
  expect([plan?.speed, first?.speed, first?.remainingSeconds]).toEqual([null, null, null])
  expect(second).toMatchObject({ stage: 'render', frames: 60, total: 200, speed: 20, remainingSeconds: 7 })
})

test('a report that goes back changes nothing', () => {
  const [furthest, fewer, earlier] = states(['render', 60, 0], ['render', 40, 1], ['plan', 0, 2])
  expect([fewer, earlier]).toEqual([furthest, furthest])
  expect(fewer).toBe(furthest)
  const [joining, again] = states(['join', 200, 0], ['render', 150, 1])
  expect(again).toBe(joining)
})
