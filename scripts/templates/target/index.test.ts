import { tmpdir } from 'node:os'
import type { RenderPlan, RenderRequest } from '@vid/kernel'
import { expect, test } from 'vitest'
import target from './index.ts'

test('joins all segments in their order', async () => {
  const plan = { segments: [{ index: 0 }, { index: 1 }] } as RenderPlan
  const artifact = await target().run(plan, {
    options: {},
    request: {} as RenderRequest,
    signal: new AbortController().signal,
    projectDir: tmpdir(),
    workDir: tmpdir(),
    warn() {},
    progress() {},
    renderSegment: async (index) => ({ file: `segment-${index}` }),
    join: async (segments) => ({ path: segments.map(({ file }) => file).join('+') }),
  })
  expect(artifact.path).toBe('segment-0+segment-1')
})
