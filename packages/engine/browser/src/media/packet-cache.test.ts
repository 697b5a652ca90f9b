import { mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg, readSource, runProcess, type SourceFile } from '@vid/ffmpeg'
import { expect, onTestFinished, test } from 'vitest'
import { findPackets } from './packet-cache.ts'
import type { PictureSource } from './track-frames.ts'

const hasPicture = (source: SourceFile): source is PictureSource => source.picture !== null

/** A second of video in a folder with an empty cache. */
const makeJob = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packets-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const tools = await findFfmpeg()
  const file = join(folder, 'clip.mp4')
  const input = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=1']
  await runProcess(tools.ffmpeg, ['-v', 'error', ...input, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', file], undefined)
  const source = await readSource(file)
  if (!hasPicture(source)) throw new Error('the clip has no picture')
  const { times: ticks } = await source.frameTimes()
  return { job: { source, shown: ticks, tools }, env: { VID_CACHE_DIR: join(folder, 'cache') } }
}

test('renders that need the same packets share one copy', async () => {
  const { job, env } = await makeJob()
  const { signal } = new AbortController()
  const [one, other] = await Promise.all([1, 2].map(() => findPackets({ ...job, signal }, env)))
  expect(one?.ticks).toHaveLength(10)
  expect(other).toBe(one)
})

/** An ffmpeg that waits at a gate; `reached` resolves once one waits there, to what lets it go on. */
const gatedFfmpeg = async (folder: string, ffmpeg: string) => {
  const gate = join(folder, 'gate')
  await runProcess('mkfifo', [gate], undefined)
  const program = join(folder, 'gated.sh')
  await writeFile(program, `#!/bin/sh\nread -r _ < '${gate}'\nexec '${ffmpeg}' "$@"\n`, { mode: 0o755 })
  // It opens when somebody reads at the other end.
  const reached = open(gate, 'w').then((writer) => () => writer.close())
  return { program, reached }
}

test('an aborted render does not fail another render that waits for its copy of the packets', async () => {
  const { job, env } = await makeJob()
  const first = new AbortController()
  const { program, reached } = await gatedFfmpeg(join(env.VID_CACHE_DIR, '..'), job.tools.ffmpeg)
  const gated = { ...job, tools: { ...job.tools, ffmpeg: program } }
  const stopped = findPackets({ ...gated, signal: first.signal }, env).catch(() => 'stopped')
  const letGo = await reached
  const other = findPackets({ ...job, signal: new AbortController().signal }, env)
  first.abort(new Error('cancelled'))
  expect(await stopped).toBe('stopped')
  await letGo()
  expect((await other)?.ticks).toHaveLength(10)
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

test('packets of a source that was replaced since it was read are refused, and not kept as its own', async () => {
  const { job, env } = await makeJob()
  const { file } = job.source
  const input = ['-f', 'lavfi', '-i', 'color=red:s=64x36:r=10:d=1']
  await runProcess(job.tools.ffmpeg, ['-v', 'error', '-y', ...input, '-pix_fmt', 'yuv420p', file], undefined)
  const { signal } = new AbortController()
  await expect(findPackets({ ...job, signal }, env)).rejects.toMatchObject({
    code: 'VID_MEDIA_CHANGED',
    facts: { planned: job.source.digest, found: (await readSource(file)).digest },
  })
  expect(await readdir(join(env.VID_CACHE_DIR, 'frames'))).toEqual([])
})
