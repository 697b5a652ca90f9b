import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, probeMedia, runProcess } from '@vid/ffmpeg'
import { noSources, type RenderPlan } from '@vid/kernel'
import { decodePng, noise, type Shot, scratchFolder, shootVideo, toneFile } from '@vid/testkit'
import { expect, test } from 'vitest'
import pngSequence from './index.ts'

const tools = await findFfmpeg()
const embedded = await findFfmpeg({ env: { ...process.env, PATH: '' } })
const shoot = async (shot?: Shot) => shootVideo(pngSequence(), await scratchFolder(), shot)
const namesOf = (count: number) =>
  Array.from({ length: count }, (_, frame) => `frame_${String(frame).padStart(6, '0')}.png`)

test.each([
  [64, 48, [3, 3, 1]],
  [1, 1, [1]],
  [101, 57, [2, 1]],
])('frames of %i×%i are lossless RGBA images', async (width, height, segments) => {
  const { file } = await shoot({ width, height, segments, paint: noise })
  const names = namesOf(segments.reduce((sum, frames) => sum + frames, 0))
  expect((await readdir(file)).sort()).toEqual(names)
  for (const [index, name] of names.entries()) {
    const bytes = await readFile(join(file, name))
    // 8 bits a channel, with alpha.
    expect([bytes[24], bytes[25]]).toEqual([8, 6])
    const expected = new Uint8Array(width * height * 4)
    noise(index, expected, width)
    expect(Buffer.from(decodePng(bytes).data).equals(expected), name).toBe(true)
  }
})

test('the bytes depend neither on the segments nor on the build of ffmpeg', async () => {
  const bytesOf = async (segments: readonly number[]) => {
    const { file } = await shoot({ segments, paint: noise })
    return Promise.all(namesOf(6).map((name) => readFile(join(file, name), 'base64')))
  }
  const whole = await bytesOf([6])
  expect(await bytesOf([4, 2])).toEqual(whole)
  Object.assign(process.env, { VID_FFMPEG_PATH: embedded.ffmpeg })
  try {
    expect(await bytesOf([1, 5])).toEqual(whole)
  } finally {
    delete process.env.VID_FFMPEG_PATH
  }
})

test('a higher quality compresses better', async () => {
  const bytesOf = async (quality: 'draft' | 'standard' | 'high') => {
    const { file } = await shoot({ width: 256, height: 128, segments: [1], request: { quality } })
    return (await readFile(join(file, 'frame_000000.png'))).length
  }
  expect(await bytesOf('high')).toBeLessThan(await bytesOf('draft'))
})

test.each([24, 30, 60])('the sound at %d fps lies beside the frames and begins where it was mixed', async (fps) => {
  const folder = await scratchFolder()
  const seconds = 25 / fps
  const audio = await toneFile(folder, { seconds, onset: 0.25 })
  const { file } = await shootVideo(pngSequence(), folder, { fps, segments: [12, 13], audio })
  expect((await readdir(file)).sort()).toEqual(['audio.aac', ...namesOf(25)])
  const sound = join(file, 'audio.aac')
  const info = await probeMedia(sound)
  expect(info.container).toBe('aac')
  expect(info.audio).toMatchObject([{ codec: 'aac', sampleRate: 48_000, channels: 2 }])
  const raw = join(folder, 'raw')
  await runProcess(tools.ffmpeg, ['-v', 'error', '-i', sound, '-f', 'f32le', raw], undefined)
  const bytes = await readFile(raw)
  const left = Array.from({ length: bytes.length / 8 }, (_, index) => Math.abs(bytes.readFloatLE(index * 8)))
  const late = left.length / 48_000 - seconds
  expect(late).toBeGreaterThanOrEqual(0)
  expect(late).toBeLessThanOrEqual(1024 / 48_000)
  expect(Math.abs(left.findIndex((value) => value > 0.1) / 48_000 - 0.25)).toBeLessThan(0.001)
})

test('settings of another version are an error', async () => {
  const other = { ...pngSequence(), settings: () => ({ recipe: 1 }) }
  const shooting = shootVideo(other, await scratchFolder())
  await expect(shooting).rejects.toMatchObject({ code: 'VID_ENCODER_SETTINGS' })
})

test('a folder that does not match its plan fails verification with all differences', async () => {
  const plugin = pngSequence()
  const plan = { width: 32, height: 16, frames: 4, fps: 30, format: 'png-sequence' } as RenderPlan
  const { file: path } = await shoot({ width: 32, height: 16, segments: [4] })
  const signal = new AbortController().signal
  const context = {
    options: plugin.options,
    signal,
    projectDir: '',
    workDir: '',
    sources: noSources,
    warn() {},
  }
  const frame = () => Promise.reject(new Error('captured'))
  const verify = (changes = {}) =>
    plugin.verify?.({ plan, artifact: { path }, sound: false, samples: [], frame, ...changes }, context)
  await expect(verify()).resolves.toBeUndefined()
  await expect(verify({ sound: true })).rejects.toMatchObject({
    code: 'VID_OUTPUT_WRONG',
    message: expect.stringContaining('audio.aac is missing'),
  })
  await expect(verify({ plan: { ...plan, width: 31 } })).rejects.toThrow('frame_000000.png is 32 × 16, not 31 × 16')
  await truncate(join(path, 'frame_000001.png'), 60)
  await rm(join(path, 'frame_000002.png'))
  await writeFile(join(path, 'frame_000004.png'), '')
  await expect(verify()).rejects.toThrow(
    /frame_000002.png is missing; frame_000004.png does not belong to it; frame_000001.png is not a complete PNG/,
  )
})
