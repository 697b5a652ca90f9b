import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import deliver from './index.ts'

test('copies the result under the name of the output', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'artifact'), 'video')
  const delivery = deliver({ folder })
  const result = {
    outputPath: '/videos/hello.mp4',
    fileSize: 5,
    durationMs: 1,
    renderTimeMs: 1,
    frames: 1,
    warnings: [],
  }
  await delivery.deliver({ path: join(folder, 'artifact') }, result, {
    options: delivery.options,
    signal: new AbortController().signal,
    projectDir: folder,
    workDir: folder,
    warn() {},
  })
  expect(await readFile(join(folder, 'hello.mp4'), 'utf8')).toBe('video')
})
