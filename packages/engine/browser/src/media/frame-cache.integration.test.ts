import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg, readSource, runProcess, type SourceFile } from '@vid/ffmpeg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimFrames, evictFrames } from './frame-cache.ts'

const { signal } = new AbortController()
let folder: string
let source: SourceFile & { picture: NonNullable<SourceFile['picture']> }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-frames-'))
  const { ffmpeg } = await findFfmpeg()
  const file = join(folder, 'clip.mp4')
  const input = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=2']
  await runProcess(ffmpeg, ['-v', 'error', ...input, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', file], signal)
  const read = await readSource(file)
  if (!read.picture) throw new Error('the clip has no picture')
  source = { ...read, picture: read.picture }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const claim = async (cache: string, changes: { count?: number; source?: typeof source } = {}) => {
  const job = {
    source,
    frameFormat: 'jpg' as const,
    fromTick: 0,
    count: 20,
    stride: 1,
    tools: await findFfmpeg(),
  }
  return claimFrames({ ...job, ...changes }, { VID_CACHE_DIR: join(folder, cache) })
}
const entries = (cache: string) => readdir(join(folder, cache, 'frames'))

test('frames are extracted in order, named by their time, and reused by the next render', async () => {
  const first = await claim('reuse')
  expect(await first.file(5000, signal)).toMatch(/\/5000\.jpg$/)
  const last = await first.file(19_000, signal)
  await first.release()
  const second = await claim('reuse')
  const again = await second.file(19_000, signal)
  expect((await stat(again)).size).toBeGreaterThan(100)
  await second.release()
  expect(last).toMatch(/\/19000\.jpg$/)
})

test('a time between two frames gets the earlier one, and a time before all frames the first', async () => {
  const frames = await claim('between')
  await frames.file(19_000, signal)
  expect(await frames.file(5600, signal)).toMatch(/\/5000\.jpg$/)
  expect(await frames.file(-5, signal)).toMatch(/\/0\.jpg$/)
  await frames.release()
})

test('two simultaneous users share one extraction and its frames', async () => {
  const [one, two] = await Promise.all([claim('shared'), claim('shared')])
  await one.release()
  expect(await two.file(19_000, signal)).toMatch(/\/19000\.jpg$/)
  await two.release()
})

test('a folder with a damaged frame is extracted again', async () => {
  const first = await claim('damaged')
  await first.file(19_000, signal)
  await expect.poll(async () => (await entries('damaged')).every((name) => !name.startsWith('partial-'))).toBe(true)
  const brokenFile = await first.file(7000, signal)
  await first.release()
  await truncate(brokenFile, 10)
  const second = await claim('damaged')
  expect((await stat(await second.file(7000, signal))).size).toBeGreaterThan(100)
  await second.release()
})

test('releasing frames before their extraction ends leaves no files', async () => {
  const frames = await claim('early', { count: 19 })
  await frames.release()
  expect((await entries('early')).filter((name) => name.startsWith('partial-'))).toEqual([])
})

test('the least recently used frames are evicted first, and frames in use stay', async () => {
  const root = join(folder, 'evict')
  const names = ['a', 'b', 'c'].map((letter) => letter.repeat(64))
  for (const [age, name] of names.entries()) {
    await mkdir(join(root, name), { recursive: true })
    await writeFile(join(root, name, '0.jpg'), Buffer.alloc(1000))
    const then = new Date(Date.now() - (10 - age) * 3_600_000)
    await utimes(join(root, name), then, then)
  }
  await evictFrames(root, 2000, (path) => path.endsWith(names[0] ?? ''))
  expect((await readdir(root)).sort()).toEqual([names[0], names[2]])
})

test('a truncated source shows the readable frames, is reported, and is not cached', async () => {
  const whole = await readFile(source.file)
  const file = join(folder, 'cut.mp4')
  // The index is at the end of the file: only samples in the middle are lost.
  const damagedFile = Buffer.from(whole)
  damagedFile.fill(0xff, Math.floor(whole.length * 0.3), Math.floor(whole.length * 0.6))
  await writeFile(file, damagedFile)
  const { digest } = await readSource(file)
  const cut = { ...source, file, digest }
  const job = { source: cut, frameFormat: 'jpg' as const, fromTick: 0, count: 20, stride: 1 }
  const frames = await claimFrames({ ...job, tools: await findFfmpeg() }, { VID_CACHE_DIR: join(folder, 'cut') })
  expect(await frames.finished).toMatch(/it printed: /)
  expect((await stat(await frames.file(19_000, signal))).size).toBeGreaterThan(100)
  await frames.release()
  expect(await entries('cut')).toEqual([])
})

/** A job that wants the last frames of a source of which that many bytes were lost at the end. */
const cutJob = async (name: string, codec: readonly string[], gap: number) => {
  const tools = await findFfmpeg()
  const file = join(folder, name)
  const input = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=2', ...codec]
  await runProcess(tools.ffmpeg, ['-v', 'error', ...input, file], signal)
  await truncate(file, (await stat(file)).size - gap)
  const cut = await readSource(file)
  if (!cut.picture) throw new Error('the clip has no picture')
  const { times } = await cut.frameTimes()
  const last = Math.round(times.at(-1) ?? 0)
  const before = Math.round(times.at(-2) ?? 0)
  const job = { frameFormat: 'png' as const, fromTick: last, count: 1, stride: 1, tools }
  return { job: { ...job, source: { ...cut, picture: cut.picture } }, last, before }
}
const H264 = ['-c:v', 'libx264', '-bf', '0', '-pix_fmt', 'yuv420p', '-movflags', '+faststart']
const PRORES = ['-c:v', 'prores_ks', '-movflags', '+faststart']

test.each([
  ['cut-h264.mp4', H264],
  ['cut-h264.mov', H264],
  ['cut-prores.mov', PRORES],
])('where only a part of the last frame is there, the one before is shown (%s)', async (name, codec) => {
  const { job, last, before } = await cutJob(name, codec, 5)
  const frames = await claimFrames(job, { VID_CACHE_DIR: join(folder, `${name}-cache`) })
  expect(await frames.file(last, signal)).toMatch(new RegExp(`/${before}\\.png$`))
  expect((await stat(await frames.file(last, signal))).size).toBeGreaterThan(100)
  expect(await frames.finished).toMatch(/it printed: /)
  await frames.release()
  expect(await entries(`${name}-cache`)).toEqual([])
})

test('a decoder that is killed while it looks for an earlier frame is no fault of the source', async () => {
  const { job, last } = await cutJob('killed-later.mov', PRORES, 5)
  const ffmpeg = join(folder, 'second.sh')
  const script = `case "$*" in */nearest/*) kill -9 $$;; esac; exec '${job.tools.ffmpeg}' "$@"`
  await writeFile(ffmpeg, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const frames = await claimFrames(
    { ...job, tools: { ...job.tools, ffmpeg } },
    { VID_CACHE_DIR: join(folder, 'killed-later') },
  )
  await expect(frames.file(last, signal)).rejects.toMatchObject({ fault: 'machine' })
  await expect(frames.finished).rejects.toMatchObject({ fault: 'machine' })
  await frames.release()
  expect(await entries('killed-later')).toEqual([])
})

test.each([
  ['is killed', 'kill -9 $$'],
  ['may write no more', `trap '' XFSZ; ulimit -f 2; exec "$FFMPEG" "$@"`],
])('an extraction that %s fails: no earlier frame is shown instead', async (name, script) => {
  const tools = await findFfmpeg()
  const ffmpeg = join(folder, `${name}.sh`)
  await writeFile(ffmpeg, `#!/bin/sh\nFFMPEG='${tools.ffmpeg}'\n${script}\n`, { mode: 0o755 })
  const job = { source, frameFormat: 'png' as const, fromTick: 0, count: 20, stride: 1 }
  const frames = await claimFrames({ ...job, tools: { ...tools, ffmpeg } }, { VID_CACHE_DIR: join(folder, name) })
  await expect(frames.finished).rejects.toMatchObject({ fault: 'machine' })
  await expect(frames.file(19_000, signal)).rejects.toMatchObject({ fault: 'machine' })
  await frames.release()
  expect(await entries(name)).toEqual([])
})

test('frames of a source that was replaced since it was read are refused, and not kept as its own', async () => {
  const file = join(folder, 'replaced.mp4')
  await copyFile(source.file, file)
  const read = await readSource(file)
  if (!read.picture) throw new Error('the clip has no picture')
  const { ffmpeg } = await findFfmpeg()
  const input = ['-f', 'lavfi', '-i', 'color=red:s=64x36:r=10:d=2']
  await runProcess(ffmpeg, ['-v', 'error', '-y', ...input, '-pix_fmt', 'yuv420p', file], signal)
  const frames = await claim('replaced', { source: { ...read, picture: read.picture } })
  await expect(frames.file(0, signal)).rejects.toMatchObject({
    code: 'VID_MEDIA_CHANGED',
    facts: { planned: read.digest, found: (await readSource(file)).digest },
  })
  await frames.release()
  expect(await entries('replaced')).toEqual([])
})

test('a source that was only touched is still the one that was read', async () => {
  const file = join(folder, 'touched.mp4')
  await copyFile(source.file, file)
  const read = await readSource(file)
  if (!read.picture) throw new Error('the clip has no picture')
  await utimes(file, 1, 1)
  const frames = await claim('touched', { source: { ...read, picture: read.picture } })
  expect(await frames.file(19_000, signal)).toMatch(/\/19000\.jpg$/)
  await frames.release()
})
