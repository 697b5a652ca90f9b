import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { render } from '@vid/render'
import { expect, test } from 'vitest'
import {
  growingBar,
  inputOf,
  makeFolder,
  openBucket,
  openFunction,
  putSite,
  runWorkflow,
} from './fixtures/function.ts'

test('a render in calls of two environments gives the bytes of a local render, and leaves only its records', async () => {
  const bucket = await openBucket()
  const { project, siteId } = await putSite(bucket, { 'index.html': growingBar() })
  const local = join(await makeFolder(), 'film.mp4')
  await render(
    { projectDir: project, output: local, segmentFrames: 8, cache: false },
    { configFrom: 'cwd', cwd: project, env: {} },
  )
  const [one, other] = [await openFunction(), await openFunction()]
  const input = inputOf(siteId, { chunks: { maxParallelChunks: 16, chunkSize: 8 }, reuse: false })
  const { planned, result } = await runWorkflow(input, one.handler, other.handler)
  expect(planned).toMatchObject({ frames: 30, chunks: [0, 1, 2, 3], isWide: false })
  const bytes = await readFile(local)
  expect(bucket.objects.get('outputs/film.mp4')?.body.equals(bytes)).toBe(true)
  expect(result).toMatchObject({
    ...{
      outputKey: 'outputs/film.mp4',
      bytes: bytes.length,
      frames: 30,
      durationMs: 1000,
      width: 64,
      height: 32,
    },
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
  const names = bucket.keysBelow(`renders/${input.renderId}/`).map((key) => key.split('/')[2])
  expect(new Set(names)).toEqual(new Set(['calls', 'result.json']))
  for (const { tempDir, codeDir } of [one, other]) {
    expect(await readdir(tempDir)).toEqual(['vid-sites'])
    expect(await readdir(codeDir)).toEqual([])
  }
})
