import { tmpdir } from 'node:os'
import type { RenderPlan } from '@vid/kernel'
import { expect, test } from 'vitest'
import capture from './index.ts'

test('gives the frames that were asked for, in order', async () => {
  const context = {
    options: {},
    signal: new AbortController().signal,
    projectDir: tmpdir(),
    workDir: tmpdir(),
    warn() {},
  }
  const session = await capture().open({ width: 2, height: 1 } as RenderPlan, context)
  const seen: number[][] = []
  for await (const { index, data } of session.frames({ index: 0, start: 3, frames: 2 }, ['rgba']))
    seen.push([index, data.length])
  await session.close()
  expect(seen).toEqual([
    [3, 8],
    [4, 8],
  ])
})
