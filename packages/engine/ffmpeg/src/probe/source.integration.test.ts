import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../fixtures/sliding-bar.ts'
import { tone, writeWav } from '../fixtures/tones.ts'
import { findFfmpeg, probeMedia, readSource, runProcess } from '../index.ts'

/** Frames of AAC in stereo at 48 kHz whose heads are right, and whose sound is not. */
const damagedAac = () => {
  const frame = Buffer.alloc(100)
  frame.set([0xff, 0xf1, 0x4c, 0x80, 0x0c, 0x9f, 0xfc])
  return Buffer.concat(Array<Buffer>(20).fill(frame))
}

test('a sound stream whose head is damaged is no sound: a plan of it would not be valid', async () => {
  const file = join(await scratch(), 'tone.aac')
  await writeFile(file, damagedAac())
  const { audio } = await probeMedia(file)
  expect(audio).toMatchObject([{ codec: 'aac', sampleRate: 0 }])
  expect(await readSource(file)).toMatchObject({ picture: null, sound: null })
})

test('a file of the same size and time that was written again is read again', async () => {
  const file = await writeWav(join(await scratch(), 'tone.wav'), tone(500))
  const { atime, mtime } = await stat(file)
  await utimes(file, atime, mtime)
  const before = await readSource(file)
  await writeWav(file, tone(600))
  await utimes(file, atime, mtime)
  expect((await readSource(file)).digest).not.toBe(before.digest)
})

test('what one ffmpeg has read of a file is not what another reads of it', async () => {
  const file = await writeWav(join(await scratch(), 'tone.wav'), tone(500))
  const tools = await findFfmpeg()
  const source = await readSource(file, { tools })
  expect(await readSource(file, { tools })).toBe(source)
  expect(await readSource(file, { tools: { ...tools, build: 'another' } })).not.toBe(source)
})

const { signal } = new AbortController()

/** Makes a clip of 20 frames whose index stands before them, and cuts it off where its first frame has begun, and later. */
const cutClips = async (extension: string, codec: readonly string[]) => {
  const folder = await scratch()
  const { ffmpeg, ffprobe } = await findFfmpeg()
  const file = join(folder, `whole.${extension}`)
  const input = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=2', ...codec]
  await runProcess(ffmpeg, ['-v', 'error', ...input, file], signal)
  const first = ['-show_entries', 'packet=size,pos', '-of', 'json', '-read_intervals', '%+#1', file]
  const printed = await runProcess(ffprobe, ['-v', 'error', ...first], signal)
  const { packets } = JSON.parse(printed) as { packets: { size: string; pos: string }[] }
  const size = Number(packets[0]?.size)
  const position = Number(packets[0]?.pos)
  const bytes = await readFile(file)
  const cut = async (name: string, length: number) => {
    const path = join(folder, `${name}.${extension}`)
    await writeFile(path, bytes.subarray(0, length))
    return path
  }
  return {
    whole: file,
    empty: await cut('empty', position),
    torn: await cut('torn', position + Math.floor(size / 2)),
    short: await cut('short', Math.floor(bytes.length * 0.7)),
  }
}

test.each([
  ['mp4', ['-c:v', 'libx264', '-g', '4', '-pix_fmt', 'yuv420p', '-movflags', '+faststart']],
  ['mov', ['-c:v', 'prores_ks', '-movflags', '+faststart']],
  ['webm', ['-c:v', 'libvpx-vp9', '-g', '4', '-deadline', 'realtime', '-cpu-used', '8']],
])('a truncated %s is known as such, and has no picture when no frame is whole', async (extension, codec) => {
  const { whole, empty, torn, short } = await cutClips(extension, codec)
  for (const file of [empty, torn]) expect(await readSource(file)).toMatchObject({ picture: null })
  for (const [file, isCutOff] of [
    [whole, false],
    [short, true],
  ] as const) {
    const source = await readSource(file)
    expect(source.picture).toMatchObject({ width: 64, height: 36 })
    expect(await source.frameTimes()).toMatchObject({ isCutOff })
  }
  const frames = (await (await readSource(short)).frameTimes()).times.length
  expect(frames).toBeGreaterThan(5)
  expect(frames).toBeLessThan(20)
})

test.each([
  ['is killed', 'kill -9 $$'],
  ['has no memory', 'echo "[error] torn: Cannot allocate memory" >&2; exit 1'],
])('a decoder that %s does not prove that a source has no picture', async (name, script) => {
  const codec = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', '+faststart']
  const { torn } = await cutClips('mp4', codec)
  const tools = await findFfmpeg()
  const ffmpeg = join(await scratch(), `${name}.sh`)
  await writeFile(ffmpeg, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const source = readSource(torn, { tools: { ...tools, ffmpeg } })
  await expect(source).rejects.toMatchObject({ fault: 'machine' })
})
