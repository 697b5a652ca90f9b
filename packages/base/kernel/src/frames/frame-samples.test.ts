import type { RenderPlan } from '@vid/protocol'
import { expect, test } from 'vitest'
import type { Frame } from '../contracts/roles.ts'
import { createFrameSamples, sampledFrames } from './frame-samples.ts'

const segmentsOf = (frames: number, length: number) =>
  Array.from({ length: Math.ceil(frames / length) }, (_, index) => ({
    index,
    start: index * length,
    frames: Math.min(length, frames - index * length),
  }))
const planOf = (frames: number, length = 120) =>
  ({ frames, segments: segmentsOf(frames, length) }) as unknown as RenderPlan

test.each([
  ['one frame', planOf(1), [0]],
  ['a few frames', planOf(3), [0, 2]],
  ['one segment', planOf(100), [0, 5]],
  ['a long video, within the segment in its middle', planOf(3000), [1440, 1559]],
  ['a short segment in the middle', planOf(9, 5), [0, 4]],
])('%s', (_, plan, indexes) => {
  expect(sampledFrames(plan)).toEqual(indexes)
})

test('sampled frames are copies, of one plan only', () => {
  const samples = createFrameSamples()
  const plan = planOf(100)
  const data = new Uint8Array([1])
  for (let index = 0; index < 20; index++) samples.take(plan, { index, format: 'rgba', data } as Frame)
  data[0] = 2
  expect(samples.of(plan).map(({ index, data: [first] }) => [index, first])).toEqual([
    [0, 1],
    [5, 1],
  ])
  expect(samples.of(planOf(100))).toEqual([])
})
