import { writeFile } from 'node:fs/promises'
import { eventProblems, type RenderEvent } from '@vid/protocol'
import { expect, test } from 'vitest'
import { capture, encoder, page, request, setupOf, taps } from '../fixtures/plugins.ts'
import { createKernel, type KernelSetup, type RunOptions, render } from '../index.ts'

const eventsOf = async (
  setup: Partial<KernelSetup> = {},
  options: Partial<RunOptions> = {},
  changes: Partial<Parameters<typeof render>[1]> = {},
) => {
  const events: RenderEvent[] = []
  const onEvent = (event: RenderEvent) => void events.push(event)
  await render(createKernel(setupOf(setup)), { ...request, ...changes }, { ...options, onEvent }).catch(() => {})
  return events
}
const problemsOf = (events: readonly RenderEvent[]) =>
  events.flatMap((event) => eventProblems(JSON.parse(JSON.stringify(event))))

test('every event of a successful render matches its schema and has the same id', async () => {
  const warning = taps('warner', (hooks) => {
    hooks.plan.tap('warner', (plan, { warn }) => {
      warn({ code: 'VID_TEST', message: 'look here', hint: 'or there' })
      return plan
    })
  })
  const outputs = [{ format: 'other', output: 'out.other' }]
  const encoders = [encoder(), encoder({ name: 'other-encoder', formats: ['other'] })]
  const events = await eventsOf({ plugins: [warning], encoders }, {}, { outputs })
  expect(new Set(events.map(({ type }) => type))).toEqual(
    new Set(['render-start', 'render-progress', 'warning', 'segment-complete', 'render-complete']),
  )
  expect(problemsOf(events)).toEqual([])
  expect(new Set(events.map(({ renderId }) => renderId)).size).toBe(1)
})

test('a failed render ends with an event that has the error and its fault', async () => {
  const broken = capture({
    open: async () =>
      page({
        async *frames() {
          yield await Promise.reject(new Error('crashed'))
        },
      }),
  })
  const events = await eventsOf({ capture: broken })
  expect(problemsOf(events)).toEqual([])
  expect(events.at(-1)).toMatchObject({
    type: 'render-error',
    error: { code: 'VID_PLUGIN_FAILED', fault: 'render', plugin: 'grey-capture' },
  })
})

test('a cancelled render ends with an event too', async () => {
  const stop = new AbortController()
  const stopping = encoder({
    async encode(_frames, { path }) {
      stop.abort()
      await writeFile(path, '')
      return { file: path }
    },
  })
  const events = await eventsOf({ encoders: [stopping] }, { signal: stop.signal })
  expect(problemsOf(events)).toEqual([])
  expect(events.at(-1)).toMatchObject({ type: 'render-error', error: { code: 'VID_CANCELLED' } })
})

test('an id set by the caller is in every event, and two renders have different ids', async () => {
  expect(new Set((await eventsOf({}, { renderId: 'row-7' })).map(({ renderId }) => renderId))).toEqual(
    new Set(['row-7']),
  )
  const [one] = await eventsOf()
  const [other] = await eventsOf()
  expect(one?.renderId).not.toBe(other?.renderId)
})

test('what pages write to the console is reported once before the end, with the most that one page wrote', async () => {
  const talkative = (fails: boolean) =>
    capture({
      open: async (_plan, { log }) => {
        for (const count of [1, 2]) log?.({ level: 'warn', text: 'not found', count })
        log?.({ level: 'log', text: 'from https://example.com/a?token=abc', count: 1 })
        if (fails) throw new Error('crashed')
        return page()
      },
    })
  for (const fails of [false, true]) {
    const events = await eventsOf({ capture: talkative(fails) })
    expect(problemsOf(events)).toEqual([])
    const messages = events.filter(({ type }) => type === 'console')
    expect(messages).toEqual([
      expect.objectContaining({ level: 'warn', text: 'not found', count: 2 }),
      expect.objectContaining({ level: 'log', text: 'from https://example.com/a?…', count: 1 }),
    ])
    expect(events.at(-1)?.type).toBe(fails ? 'render-error' : 'render-complete')
    expect(events.at(-2)?.type).toBe('console')
  }
})
