import type { EditReach } from '@vid/core'
import type { SegmentJob } from '@vid/kernel'
import { expect, test } from 'vitest'
import { isUntouched } from './edit-reach.ts'

/** An edit that is seen for the third second of a composition. */
const reach = { windows: [{ start: 2, end: 3 }] } as unknown as EditReach

const segment = (plan: object, start: number, frames: number) =>
  ({ plan: { fps: 30, ...plan }, start, frames }) as unknown as SegmentJob

test.each([
  ['the whole', {}, 60, 30, false],
  ['the whole, before the edit', {}, 0, 60, true],
  ['a part from 2 s on', { range: { start: 60, of: 120 } }, 0, 30, false],
  ['a part from 1 s on, at 2 s of the video', { range: { start: 30, of: 120 } }, 60, 30, true],
  ['a fractional rate, before the edit', { fps: '30000/1001' }, 0, 60, true],
  ['a fractional rate, its first frame', { fps: '30000/1001' }, 60, 1, false],
])('%s: a segment is untouched only outside the edit', (_title, plan, start, frames, untouched) => {
  expect(isUntouched(reach, segment(plan, start, frames))).toBe(untouched)
})
