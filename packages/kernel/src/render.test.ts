import { expect, test } from 'vitest'
import { request, setupOf } from './fixtures/plugins.ts'
import { createKernel, type RenderEvent, render } from './index.ts'

test('a kernel without a target renders every segment in this process', async () => {
  const events: RenderEvent[] = []
  const result = await render(createKernel(setupOf()), request, { onEvent: (event) => events.push(event) })
  expect(result).toMatchObject({ frames: 6, durationMs: 200, warnings: [] })
  const rendered = events.flatMap((event) =>
    event.type === 'render-progress' && event.stage === 'render' ? [event.framesRendered] : [],
  )
  expect(rendered).toEqual([1, 2, 3, 4, 5, 6])
  expect(events.at(-1)).toMatchObject({ type: 'render-complete' })
})
