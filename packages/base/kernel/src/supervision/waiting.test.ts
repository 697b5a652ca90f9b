import type { RenderEvent } from '@vid/protocol'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { encoder, request, setupOf } from '../fixtures/plugins.ts'
import { createKernel, defineDelivery, type KernelSetup, render } from '../index.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A function of a plugin that waits until the test lets it go on. */
const held = () => {
  let release = () => {}
  let begin = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const wait = () => {
    begin()
    return released
  }
  return { wait, begun, release }
}

const start = (setup: Partial<KernelSetup>) => {
  const waits: RenderEvent[] = []
  const onEvent = (event: RenderEvent) => event.type === 'render-waiting' && waits.push(event)
  return { waits, done: render(createKernel(setupOf(setup)), request, { onEvent }) }
}

test('a delivery is named while it hangs: after half a minute, then ever more rarely', async () => {
  const { wait, begun, release } = held()
  const { waits, done } = start({ deliveries: [defineDelivery({ name: 'slow', deliver: wait })()] })
  await begun
  vi.advanceTimersByTime(29_000)
  expect(waits).toEqual([])
  vi.advanceTimersByTime(600_000)
  expect(waits.map((event) => event.type === 'render-waiting' && event.seconds)).toEqual([30, 60, 120, 240, 480])
  expect(waits[0]).toMatchObject({
    type: 'render-waiting',
    plugin: 'slow',
    hook: 'deliver',
    renderId: expect.any(String),
  })
  release()
  expect(await done).toMatchObject({ warnings: [] })
})

test('the encoder that hangs is named, not the target that waits for it', async () => {
  const { wait, begun, release } = held()
  const { encode } = encoder()
  const slow = encoder({
    name: 'slow-encoder',
    async encode(frames, segment, context) {
      await wait()
      return encode(frames, segment, context)
    },
  })
  const { waits, done } = start({ encoders: [slow] })
  await begun
  vi.advanceTimersByTime(31_000)
  expect(waits).toMatchObject([{ plugin: 'slow-encoder', hook: 'encode' }])
  release()
  await done
})

test('a render that goes on slowly waits for nothing', async () => {
  const { encode } = encoder()
  const slow = encoder({
    async encode(frames, segment, context) {
      vi.advanceTimersByTime(20_000)
      return encode(frames, segment, context)
    },
  })
  const { waits, done } = start({ encoders: [slow] })
  await done
  vi.advanceTimersByTime(600_000)
  expect(waits).toEqual([])
})
