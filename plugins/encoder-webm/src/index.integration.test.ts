import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeFrames, findFfmpeg, frameHashes, probeMedia, runProcess } from '@vid/ffmpeg'
import { checkRequest, type RenderRequest } from '@vid/kernel'
import { noise, type Painter, type Shot, scratchFolder, shootVideo, toneFile } from '@vid/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { longTest, partOf } from '../../../scripts/dev/part-of.ts'
import webm from './index.ts'

const tools = await findFfmpeg()
const embedded = await findFfmpeg({ env: { ...process.env, PATH: '' } })
const shoot = async (shot?: Shot, options = {}) => shootVideo(webm(options), await scratchFolder(), shot)

/** Milliseconds at which each picture is shown. */
const timesOf = async (file: string) => {
  const entries = ['-select_streams', 'v', '-show_entries', 'packet=pts', '-of', 'csv=p=0']
  const printed = await runProcess(tools.ffprobe, ['-v', 'error', ...entries, file], undefined)
  return [...printed.matchAll(/^\d+/gm)].map(([time]) => Number(time))
}

test('the video is limited-range bt709 VP9 and is marked as having alpha', async () => {
  const { file } = await shoot()
  const { video, audio } = await probeMedia(file, { countFrames: true })
  expect(video).toMatchObject([
    {
      codec: 'vp9',
      pixFmt: 'yuv420p',
      width: 64,
      height: 48,
      frames: 12,
      start: 0,
      range: 'tv',
      matrix: 'bt709',
      transfer: 'bt709',
      primaries: 'bt709',
      fps: { num: 30, den: 1 },
      tags: expect.objectContaining({ ALPHA_MODE: '1' }),
    },
  ])
  expect(audio).toEqual([])
})

test.each([
  [{ quality: 'draft' }, { deadline: 'realtime', speed: 8, crf: 36, bitrate: null }],
  [{ quality: 'standard' }, { deadline: 'good', speed: 4, crf: 24, bitrate: null }],
  [{ quality: 'high' }, { deadline: 'good', speed: 2, crf: 16, bitrate: null }],
  [{ crf: 0 }, { crf: 0, bitrate: null }],
  [{ videoBitrate: '2.5M' }, { crf: null, bitrate: 2_500_000 }],
] satisfies [Partial<RenderRequest>, object][])('%o is planned as %o', async (request, settings) => {
  expect((await shoot({ segments: [1], request })).settings).toMatchObject({ ...settings, threads: 4 })
})

longTest('a lower CRF is larger, and a video bitrate is kept within a third', async () => {
  const paint: Painter = (index, data, width) => {
    noise(index, data, width)
    for (let offset = 3; offset < data.length; offset += 4) data[offset] = 255
  }
  const size = { width: 160, height: 120, paint, segments: [60] }
  const bitsOf = async (request: Partial<RenderRequest>) =>
    (await readFile((await shoot({ ...size, request })).file)).length * 8
  const fine = await bitsOf({ crf: 10 })
  const coarse = await bitsOf({ crf: 50 })
  expect(fine).toBeGreaterThan(1.5 * coarse)
  const slow = await bitsOf({ videoBitrate: '500k' })
  const fast = await bitsOf({ videoBitrate: '1M' })
  expect(slow / 2 / 500_000, 'part of 500k').toSatisfy((part: number) => part > 0.67 && part < 1.33)
  expect(fast / 2 / 1_000_000, 'part of 1M').toSatisfy((part: number) => part > 0.67 && part < 1.33)
})

test('a bitrate out of range is an error', async () => {
  const shooting = shoot({ request: { videoBitrate: '1k' } })
  await expect(shooting).rejects.toMatchObject({ code: 'VID_VIDEO_BITRATE', fault: 'caller' })
})

test('settings of a plan that are no settings of this encoder are refused before ffmpeg sees them', async () => {
  for (const wrong of [{ recipe: 1 }, { deadline: 'good -f null' }, { speed: '4 -f null' }]) {
    const planned = webm().settings?.(checkRequest({ projectDir: '/', output: '/out.webm' }), { threads: 4 })
    const other = { ...webm(), settings: () => ({ ...planned, ...wrong }) }
    const shooting = shootVideo(other, await scratchFolder(), { segments: [1] })
    await expect(shooting).rejects.toMatchObject({ code: 'VID_ENCODER_SETTINGS', final: true })
  }
})

test.each([
  [1, 1],
  [101, 57],
])('%i×%i keeps its size', async (width, height) => {
  const { file } = await shoot({ width, height, segments: [2, 1] })
  expect((await probeMedia(file, { countFrames: true })).video).toMatchObject([{ width, height, frames: 3 }])
})

test('the bytes do not depend on the number of threads', async () => {
  const shot = { width: 1100, height: 64, segments: [4] }
  const [two, eight] = await Promise.all([2, 8].map(async (threads) => (await shoot(shot, { threads })).file))
  expect((await readFile(two ?? '')).equals(await readFile(eight ?? ''))).toBe(true)
})

describe.each([
  ['preferred', {}],
  ['embedded', { VID_FFMPEG_PATH: embedded.ffmpeg, VID_FFPROBE_PATH: embedded.ffprobe }],
])('with the %s ffmpeg', (_, env) => {
  afterEach(() => {
    for (const name of Object.keys(env)) delete process.env[name]
  })

  test.each([
    [24, [5, 5, 2]],
    [30, [1]],
    [30, [7, 7, 7]],
    [60, [7, 1, 7]],
  ])('at %d fps, segments of %o frames join without a seam', async (fps, segments) => {
    Object.assign(process.env, env)
    const { file, segments: files } = await shoot({ fps, segments, request: { quality: 'draft' } })
    const total = segments.reduce((sum, frames) => sum + frames, 0)
    const decoder = { decoder: 'libvpx-vp9' }
    const apart = await Promise.all(files.map((path) => frameHashes(path, decoder)))
    expect(await frameHashes(file, decoder)).toEqual(apart.flat())
    const expected = Array.from({ length: total }, (_, frame) => Math.round((frame * 1000) / fps))
    expect(await timesOf(file)).toEqual(expected)
  })

  test('a rate of 30000/1001 has each time rounded once to the milliseconds of the format', async () => {
    Object.assign(process.env, env)
    const shot = { fps: '30000/1001', segments: [50, 7, 1], request: { quality: 'draft' } } as const
    const expected = Array.from({ length: 58 }, (_, frame) => Math.round((frame * 1001) / 30))
    expect(await timesOf((await shoot(shot)).file)).toEqual(expected)
  })

  test.each(partOf([24, 30, 60], 1))('sound at %d fps is Opus and starts on time', async (fps) => {
    Object.assign(process.env, env)
    const folder = await scratchFolder()
    const seconds = 25 / fps
    const audio = await toneFile(folder, { seconds, onset: 0.25 })
    const { file } = await shootVideo(webm(), folder, { fps, segments: [12, 13], audio })
    const { video, audio: sound } = await probeMedia(file)
    expect(video).toMatchObject([{ start: 0 }])
    expect(sound).toMatchObject([{ codec: 'opus', sampleRate: 48_000, channels: 2 }])
    const raw = join(folder, 'raw')
    const decode = ['-i', file, '-map', '0:a', '-f', 'f32le', raw]
    await runProcess(tools.ffmpeg, ['-v', 'error', ...decode], undefined)
    const bytes = await readFile(raw)
    const left = Array.from({ length: bytes.length / 8 }, (_, index) => Math.abs(bytes.readFloatLE(index * 8)))
    expect(Math.abs(left.length / 48_000 - seconds)).toBeLessThanOrEqual(0.02)
    expect(Math.abs(left.findIndex((value) => value > 0.1) / 48_000 - 0.25)).toBeLessThan(0.002)
    const again = await shootVideo(webm(), await scratchFolder(), { fps, segments: [12, 13], audio })
    expect((await readFile(again.file)).equals(await readFile(file))).toBe(true)
  })
})

test('a frame keeps its own alpha next to others', async () => {
  const paint: Shot['paint'] = (index, data) => {
    for (let offset = 0; offset < data.length; offset += 4) data.set([180, 90, 60, (index * 50) % 256], offset)
  }
  const { file } = await shoot({ segments: [4, 2], paint })
  const alphas: number[] = []
  for await (const frame of decodeFrames(file, { pixFmt: 'rgba', decoder: 'libvpx-vp9' })) alphas.push(frame[3] ?? -1)
  for (const [index, alpha] of alphas.entries())
    expect(Math.abs(alpha - ((index * 50) % 256)), `frame ${index}`).toBeLessThan(4)
})
