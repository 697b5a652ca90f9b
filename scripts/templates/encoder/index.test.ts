import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Frame, RenderPlan } from '@vid/kernel'
import { expect, onTestFinished, test } from 'vitest'
import encoder from './index.ts'

async function* twoFrames(): AsyncGenerator<Frame> {
  yield { index: 0, format: 'png', data: Uint8Array.of(1, 2) }
  yield { index: 1, format: 'png', data: Uint8Array.of(3) }
}

test('writes every frame of the segment, in order', async () => {
  const workDir = await mkdtemp(join(tmpdir(), 'vid-'))
  onTestFinished(() => rm(workDir, { recursive: true }))
  const segment = { index: 0, start: 0, frames: 2, plan: {} as RenderPlan, path: join(workDir, 'segment') }
  const context = {
    options: {},
    signal: new AbortController().signal,
    projectDir: workDir,
    workDir,
    warn() {},
  }
  const { file } = await encoder().encode(twoFrames(), segment, context)
  expect([...(await readFile(file))]).toEqual([1, 2, 3])
})
