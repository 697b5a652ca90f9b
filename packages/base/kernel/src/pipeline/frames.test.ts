import type { Segment } from '@vid/protocol'
import { expect, test } from 'vitest'
import { capture, checked, greyFrames, page, request, setupOf } from '../fixtures/plugins.ts'
import { createKernel, type Frame, frameBytes, render } from '../index.ts'

const rendering = (frames: (range: Segment) => AsyncIterable<Frame>) =>
  render(createKernel(setupOf({ capture: capture({ open: async () => page({ frames }) }) })), request)

const changed = (change: (frame: Frame) => Frame) =>
  async function* (range: Segment) {
    for await (const frame of greyFrames(range)) yield change(frame)
  }

test.each<[string, (range: Segment) => AsyncIterable<Frame>, RegExp]>([
  ['out of order', changed((frame) => ({ ...frame, index: frame.index + 1 })), /frame 1 came where 0 was due/],
  ['in a format that was not accepted', changed((frame) => ({ ...frame, format: 'jpeg' })), /jpeg.*only rgba fit/],
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

test('the iterator of a capture is closed when its reader stops', async () => {
  let calls = 0
  await expect(
    rendering(async function* (range) {
      try {
        yield* greyFrames({ ...range, start: range.start + 1 })
      } finally {
        calls += 1
      }
    }),
  ).rejects.toThrow()
  expect(calls).toBe(1)
})

test('a page that is examined for its pictures alone leaves idle ones to those that draw frames', async () => {
  const forPictures: boolean[] = []
  const shown = { evaluate: async () => 1, picture: async () => new Uint8Array() }
  const engine = capture({
    async open(_plan, { picturesOnly = false }) {
      forPictures.push(picturesOnly)
      return page({ show: async () => shown })
    },
  })
  const { signal } = new AbortController()
  const run = await createKernel(setupOf({ capture: engine })).open({ projectDir: request.projectDir, signal })
  try {
    const plan = await run.plan(checked())
    const read = async (start: number) => {
      const indexes: number[] = []
      for await (const { index } of run.frames(plan, { start, frames: 2 }, ['rgba'])) indexes.push(index)
      return indexes
    }
    expect(await read(0)).toEqual([0, 1])
    const examined = run.examine(plan, { picturesOnly: true })
    await examined.show(2)
    expect(await read(2)).toEqual([2, 3])
    expect(forPictures).toEqual([false, true])
    await examined.close()
  } finally {
    await run.close()
  }
})

test('the chroma planes of raw frames with odd sizes are rounded up', () => {
  expect(frameBytes('rgba', 3, 5)).toBe(60)
  expect(frameBytes('yuv420p', 4, 4)).toBe(24)
  expect(frameBytes('yuv420p', 3, 5)).toBe(15 + 2 * 2 * 3)
  expect(frameBytes('yuva420p', 3, 5)).toBe(2 * 15 + 2 * 2 * 3)
  expect(frameBytes('png', 3, 5)).toBeUndefined()
})
