import type { RenderEvent, Warning } from '@vid/protocol'
import { expect, test } from 'vitest'
import { capture, greyFrames, page, request, setupOf, taps } from '../fixtures/plugins.ts'
import { createKernel, type KernelSetup, type PluginWarning, render } from '../index.ts'

const problem = (message: string, more: Partial<PluginWarning> = {}): PluginWarning => ({
  code: 'VID_TEST',
  message,
  severity: 'error',
  ...more,
})
const tile = (index: number) =>
  problem(`https://tiles.example/${index}.png could not be fetched`, { group: 'files of tiles.example' })

/** Engine that reports some problems while a page is planned, and others while its frames are captured. */
const warning = (planned: readonly PluginWarning[], captured: readonly PluginWarning[] = []) => {
  const frames: number[] = []
  const engine = capture({
    open: async (_plan, { warn }) =>
      page({
        async probe() {
          for (const warning of planned) warn(warning)
          return { duration: 1, stateful: false, media: [] }
        },
        async *frames(range) {
          for await (const frame of greyFrames(range)) {
            frames.push(frame.index)
            if (frame.index === 0) for (const warning of captured) warn(warning)
            yield frame
            // A problem ends the render between two frames.
            await new Promise((resolve) => setImmediate(resolve))
          }
        },
      }),
  })
  return { engine, frames }
}

/** Has the page probed, as the reader of real compositions has. */
const prober = taps('prober', (hooks) => {
  hooks.plan.tapPromise({ name: 'prober', stage: 1 }, async (plan, { probe }) => {
    await probe(plan)
    return plan
  })
})

const run = async (setup: Partial<KernelSetup>, strict: boolean) => {
  const warnings: Warning[] = []
  const onEvent = (event: RenderEvent) => {
    if (event.type === 'warning') warnings.push(event.warning)
  }
  const rendering = render(createKernel(setupOf({ ...setup, plugins: [prober] })), { ...request, strict }, { onEvent })
  const [outcome] = await Promise.allSettled([rendering])
  return { warnings, outcome }
}
const errorOf = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'rejected' ? (outcome.reason as { code: string; message: string }) : undefined

test('a strict render names all problems of its plan together, and captures nothing', async () => {
  const { engine, frames } = warning([problem('one'), problem('two'), { code: 'VID_SMALL', message: 'three' }])
  const { outcome } = await run({ capture: engine }, true)
  expect(errorOf(outcome)).toMatchObject({
    code: 'VID_RENDER_STRICT',
    message: 'The result would be wrong: VID_TEST: one | VID_TEST: two.',
  })
  expect(frames).toEqual([])
})

test('a strict render ends at the first problem of its frames, with all that was reported in that moment', async () => {
  const { engine, frames } = warning([], [problem('one'), problem('two')])
  const { outcome } = await run({ capture: engine }, true)
  expect(errorOf(outcome)).toMatchObject({ code: 'VID_RENDER_STRICT' })
  expect(errorOf(outcome)?.message).toContain('VID_TEST: one | VID_TEST: two')
  expect(frames).not.toContain(5)
})

test('a strict render passes with warnings that are no errors, and another one passes with errors', async () => {
  const small = { code: 'VID_SMALL', message: 'only a warning' }
  expect((await run({ capture: warning([small], [small]).engine }, true)).outcome.status).toBe('fulfilled')
  const passed = await run({ capture: warning([problem('one')], [problem('two')]).engine }, false)
  expect(passed.outcome.status).toBe('fulfilled')
  expect(passed.warnings.map(({ message }) => message)).toEqual(['one', 'two'])
})

test('of warnings of one group, the first is reported at once and the others as a number at the end', async () => {
  // The capture reports some of them again: another page loads the same files.
  const { engine } = warning([tile(1), tile(2), tile(3)], [tile(2), tile(3), tile(4), problem('other')])
  const { warnings, outcome } = await run({ capture: engine }, false)
  expect(warnings.map(({ message }) => message)).toEqual([
    'https://tiles.example/1.png could not be fetched',
    'other',
    'files of tiles.example: 3 more',
  ])
  expect(warnings.every((warning) => !('group' in warning))).toBe(true)
  expect(outcome).toMatchObject({ value: { warnings } })
})

test('a strict render names ten of a group, and counts the others', async () => {
  const { engine } = warning(Array.from({ length: 13 }, (_, index) => tile(index + 1)))
  const { outcome } = await run({ capture: engine }, true)
  const message = errorOf(outcome)?.message
  expect(message).toContain('VID_TEST: https://tiles.example/10.png could not be fetched')
  expect(message).not.toContain('/11.png')
  expect(message).toContain('VID_TEST: files of tiles.example: 3 more')
})
