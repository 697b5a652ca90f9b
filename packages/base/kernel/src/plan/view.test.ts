import type { RenderPlan } from '@vid/protocol'
import { expect, test } from 'vitest'
import { cutPlan } from './frame-range.ts'
import { capturePlan, scalePlan } from './picture-scale.ts'

const plan = { width: 320, height: 180, fps: 30, frames: 120, duration: 4 } as RenderPlan
const television = { ...plan, fps: '30000/1001', frames: 120 } as RenderPlan

test.each([
  [
    { from: '1s', to: '2s' },
    { frames: 30, range: { start: 30, of: 120 } },
  ],
  [{ from: '110f' }, { frames: 10, range: { start: 110, of: 120 } }],
  [{ to: '25%' }, { frames: 30, range: { start: 0, of: 120 } }],
  // Frame 30 shows 1 s, which is before 1.001 s.
  [
    { from: '1001ms', to: '1.05' },
    { frames: 1, range: { start: 31, of: 120 } },
  ],
])('%o keeps the frames from the first time to before the second', (range, cut) => {
  expect(cutPlan(plan, range)).toMatchObject(cut)
})

test('at a fractional rate the frame at a time is found exactly', () => {
  expect(cutPlan(television, { from: '1.001s', to: '2.002s' })).toMatchObject({
    frames: 30,
    duration: 1.001,
    range: { start: 30, of: 120 },
  })
})

test('a range of the whole is the whole, with the same plan', () => {
  expect(cutPlan(plan, { from: '0s', to: '4s' })).toBe(plan)
  expect(cutPlan(plan, {})).toBe(plan)
})

test.each([{ from: '4s' }, { from: '2s', to: '2s' }, { from: '3s', to: '1s' }, { to: '4.1s' }, { to: '0f' }])(
  '%o has no frame of the composition, and is refused',
  (range) => {
    expect(() => cutPlan(plan, range)).toThrow(expect.objectContaining({ code: 'VID_RANGE_UNFIT' }))
  },
)

test('the picture is scaled, and the capture plugin gets the size of the page and all frames', () => {
  const scaled = cutPlan(scalePlan(plan, { resolution: '640x360' }), { from: '1s' })
  expect(scaled).toMatchObject({ width: 640, height: 360, scale: 2, frames: 90 })
  expect(capturePlan(scaled)).toMatchObject({ width: 320, height: 180, scale: 2, frames: 120 })
  expect(capturePlan(scaled)).not.toHaveProperty('range')
  expect(scalePlan(plan, { scale: 1 })).toBe(plan)
})

test.each([
  [{ resolution: '640x480' }, /640x480 .*its shape is another/],
  [{ scale: '1/3' }, /no whole number of pixels/],
  [{ resolution: '64000x36000' }, /more than encoders take/],
])('%o does not fit, and sizes nearby are named', (size, message) => {
  expect(() => scalePlan(plan, size)).toThrow(
    expect.objectContaining({ code: 'VID_SCALE_UNFIT', message: expect.stringMatching(message) }),
  )
})
