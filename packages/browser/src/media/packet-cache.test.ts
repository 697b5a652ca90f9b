import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg, readSource, runProcess, type SourceFile } from '@vid/ffmpeg'
import { expect, onTestFinished, test } from 'vitest'
import { findPackets } from './packet-cache.ts'
import type { PictureSource } from './track-frames.ts'

const hasPicture = (source: SourceFile): source is PictureSource => source.picture !== null

/** A second of film in a folder with an empty cache. */
const makeJob = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packets-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const tools = await findFfmpeg()
  const file = join(folder, 'clip.mp4')
  const input = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=1']
  await runProcess(tools.ffmpeg, ['-v', 'error', ...input, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', file], undefined)
  const source = await readSource(file)
  if (!hasPicture(source)) throw new Error('the clip has no picture')
  const ticks = await source.frameTimes()
  return { job: { source, shown: ticks, tools }, env: { VID_CACHE_DIR: join(folder, 'cache') } }
}

test('renders that need the same packets share one copy', async () => {
  const { job, env } = await makeJob()
  const { signal } = new AbortController()
  const [one, other] = await Promise.all([1, 2].map(() => findPackets({ ...job, signal }, env)))
  expect(one?.ticks).toHaveLength(10)
  expect(other).toBe(one)
})

test('an aborted render does not fail another render that waits for its copy of the packets', async () => {
  const { job, env } = await makeJob()
  const first = new AbortController()
  const stopped = findPackets({ ...job, signal: first.signal }, env).catch(() => 'stopped')
  const isCopying = async () =>
    (await readdir(join(env.VID_CACHE_DIR, 'frames')).catch(() => [])).some((name) => name.startsWith('partial-'))
  while (!(await isCopying())) await new Promise(setImmediate)
  const other = findPackets({ ...job, signal: new AbortController().signal }, env)
  // By then it has found the copy under way.
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  first.abort(new Error('cancelled'))
  expect((await other)?.ticks).toHaveLength(10)
  await stopped
})

test('a copy that finds no space fails, and is not remembered as packets that cannot be used', async () => {
  const { job, env } = await makeJob()
  const { signal } = new AbortController()
  const ffmpeg = join(env.VID_CACHE_DIR, '..', 'ffmpeg.sh')
  const script = `trap '' XFSZ; ulimit -f 1; exec '${job.tools.ffmpeg}' "$@"`
  await writeFile(ffmpeg, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const failing = findPackets({ ...job, tools: { ...job.tools, ffmpeg }, signal }, env)
  await expect(failing).rejects.toMatchObject({ code: 'VID_FFMPEG_FAILED', fault: 'machine' })
  expect(await readdir(join(env.VID_CACHE_DIR, 'frames'))).toEqual([])
  expect((await findPackets({ ...job, signal }, env))?.ticks).toHaveLength(10)
})
