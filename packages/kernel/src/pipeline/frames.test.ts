import { expect, test } from 'vitest'
import { capture, greyFrames, page, request, setupOf } from '../fixtures/plugins.ts'
import { createKernel, type Frame, frameBytes, render, type Segment } from '../index.ts'

const rendering = (frames: (range: Segment) => AsyncIterable<Frame>) =>
  render(createKernel(setupOf({ capture: capture({ open: async () => page({ frames }) }) })), request)

const changed = (change: (frame: Frame) => Frame) =>
  async function* (range: Segment) {
    for await (const frame of greyFrames(range)) yield change(frame)
  }

test.each<[string, (range: Segment) => AsyncIterable<Frame>, RegExp]>([
  [
    'out of order',
    changed((frame) => ({ ...frame, index: frame.index + 1 })),
    /frame 1 came where 0 was due/,
  ],
  ['in a format nobody asked for', changed((frame) => ({ ...frame, format: 'jpeg' })), /jpeg.*only rgba fit/],
  ['of another size', changed((frame) => ({ ...frame, data: new Uint8Array(15) })), /15 bytes.*frame of 16/],
  ['too few', (range) => greyFrames({ ...range, frames: 1 }), /1 of 2 frames/],
  ['too many', (range) => greyFrames({ ...range, frames: 3 }), /more than the 2 frames/],
])('frames that are %s stop the render and are blamed on the capture', async (_, frames, message) => {
  await expect(rendering(frames)).rejects.toMatchObject({
    code: 'VID_FRAMES_WRONG',
    plugin: 'grey-capture',
    hook: 'capture',
    message,
  })
})

test('a capture whose frames are not wanted any more has its iterator closed', async () => {
  let told = 0
  await expect(
    rendering(async function* (range) {
      try {
        yield* greyFrames({ ...range, start: range.start + 1 })
      } finally {
        told += 1
      }
    }),
  ).rejects.toThrow()
  expect(told).toBe(1)
})

test('raw frames of odd sizes have the chroma that is rounded up', () => {
  expect(frameBytes('rgba', 3, 5)).toBe(60)
  expect(frameBytes('yuv420p', 4, 4)).toBe(24)
  expect(frameBytes('yuv420p', 3, 5)).toBe(15 + 2 * 2 * 3)
  expect(frameBytes('yuva420p', 3, 5)).toBe(2 * 15 + 2 * 2 * 3)
  expect(frameBytes('png', 3, 5)).toBeUndefined()
})
