import { chmod, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../fixtures/sliding-bar.ts'
import { findEmbedded, findFfmpeg } from '../index.ts'
import { ensureExecutable } from './embedded.ts'

const fakeFfmpeg = async (folder: string, avutil: number, configuration: string) => {
  const banner = `ffmpeg version 99\nconfiguration: ${configuration}\nlibavutil      ${avutil}. 1.100`
  await writeFile(join(folder, 'ffmpeg'), `#!/bin/sh\necho '${banner}'\n`, { mode: 0o755 })
  return { HOME: process.env.HOME, PATH: folder }
}
const COMPLETE = '--enable-libx264 --enable-libvpx --enable-libopus'

test('without any ffmpeg on PATH the embedded one is found', async () => {
  const tools = await findFfmpeg({ env: { HOME: process.env.HOME, PATH: '' } })
  expect(tools).toMatchObject({ source: 'embedded', build: expect.stringMatching(/ [0-9a-f]{12}$/) })
})

test('a newer system ffmpeg is preferred', async () => {
  const env = await fakeFfmpeg(await scratch(), 99, COMPLETE)
  expect(await findFfmpeg({ env })).toMatchObject({ source: 'system', version: '99', avutil: 99 })
})

test.each([
  ['older', 50, COMPLETE],
  ['lacking libx264', 99, '--enable-libvpx --enable-libopus'],
])('a system ffmpeg that is %s is not used', async (_, avutil, configuration) => {
  const env = await fakeFfmpeg(await scratch(), avutil, configuration)
  expect(await findFfmpeg({ env })).toMatchObject({ source: 'embedded' })
})

test('VID_FFMPEG_PATH takes precedence over the path in the config', async () => {
  const folder = await scratch()
  await fakeFfmpeg(folder, 57, '')
  const env = { ...process.env, VID_FFMPEG_PATH: join(folder, 'ffmpeg') }
  expect(await findFfmpeg({ env, path: '/nowhere' })).toMatchObject({ source: 'env', version: '99' })
})

test.each(['VID_FFMPEG_PATH', 'VID_FFPROBE_PATH'])('an invalid %s is an error that shows its value', async (name) => {
  const finding = findFfmpeg({ env: { ...process.env, [name]: '/nowhere/ffmpeg' } })
  await expect(finding).rejects.toMatchObject({
    code: 'VID_FFMPEG_PATH',
    fault: 'caller',
    message: expect.stringContaining(`${name} is "/nowhere/ffmpeg"`),
  })
})

test('a program that is not ffmpeg is an error', async () => {
  const finding = findFfmpeg({ path: process.execPath })
  await expect(finding).rejects.toMatchObject({ code: 'VID_FFMPEG_PATH', fault: 'caller' })
})

test("an aborted search rejects with the signal's reason", async () => {
  await expect(findFfmpeg({ signal: AbortSignal.abort('stop') })).rejects.toBe('stop')
})

test('a program without the execute bit is copied to the cache and itself stays unchanged', async () => {
  const folder = await scratch()
  const source = join(folder, 'probe')
  await writeFile(source, '#!/bin/sh\n', { mode: 0o644 })
  const env = { XDG_CACHE_HOME: join(folder, 'cache') }
  const copies = await Promise.all([1, 2, 3].map(() => ensureExecutable(source, 'probe-1.0', env)))
  const [copy = ''] = copies
  expect(copies).toEqual([copy, copy, copy])
  expect(copy).toBe(join(folder, 'cache', 'vid', 'bin', 'probe-1.0'))
  expect((await stat(copy)).mode & 0o777).toBe(0o755)
  expect((await stat(source)).mode & 0o777).toBe(0o644)
})

test('projects that have the same program share a copy, in any order of runs', async () => {
  const folder = await scratch()
  const env = { XDG_CACHE_HOME: join(folder, 'cache') }
  const sources = ['one', 'other'].map((name) => join(folder, name))
  for (const source of sources) await writeFile(source, '#!/bin/sh\n', { mode: 0o644 })
  const inodes = new Set<number>()
  for (const source of [...sources, ...sources])
    inodes.add((await stat(await ensureExecutable(source, 'probe-1.0', env))).ino)
  expect(inodes.size).toBe(1)
})

test('a copy that was swapped for another program of equal size is made again', async () => {
  const folder = await scratch()
  const source = join(folder, 'probe')
  await writeFile(source, '#!/bin/sh\n', { mode: 0o644 })
  const env = { XDG_CACHE_HOME: join(folder, 'cache') }
  const copy = await ensureExecutable(source, 'probe-1.0', env)
  const { atime, mtime, ino } = await stat(copy)
  await ensureExecutable(source, 'probe-1.0', env)
  expect((await stat(copy)).ino).toBe(ino)
  await writeFile(copy, '#!/bin/no\n')
  await utimes(copy, atime, mtime)
  await ensureExecutable(source, 'probe-1.0', env)
  expect(await readFile(copy, 'utf8')).toBe('#!/bin/sh\n')
})

test('a cache folder that other users can write to is not used', async () => {
  const folder = await scratch()
  const source = join(folder, 'probe')
  await writeFile(source, '#!/bin/sh\n', { mode: 0o644 })
  const shared = join(folder, 'vid', 'bin')
  await mkdir(shared, { recursive: true })
  await chmod(shared, 0o777)
  const env = { XDG_CACHE_HOME: folder, TMPDIR: join(folder, 'tmp') }
  expect(await ensureExecutable(source, 'probe-1.0', env)).toContain(env.TMPDIR)
})

test('finished videos are checked by the embedded pair, unless it encoded them or the user chose another', async () => {
  const env = await fakeFfmpeg(await scratch(), 99, COMPLETE)
  const system = await findFfmpeg({ env })
  expect(await findEmbedded(system, { env })).toMatchObject({ source: 'embedded' })
  expect(await findEmbedded(system, { env: { ...env, VID_FFPROBE_PATH: process.execPath } })).toBeUndefined()
  for (const source of ['embedded', 'env', 'config'] as const)
    expect(await findEmbedded({ ...system, source }, { env })).toBeUndefined()
})
