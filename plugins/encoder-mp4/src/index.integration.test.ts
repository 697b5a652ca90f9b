import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, frameHashes, probeMedia, readX264Info, runProcess } from '@vid/ffmpeg'
import { noSources, type RenderRequest } from '@vid/kernel'
import { noise, type Shot, scratchFolder, shootVideo, toneFile } from '@vid/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import mp4 from './index.ts'

const scratch = scratchFolder
const shoot = (folder: string, shot?: Shot) => shootVideo(mp4(), folder, shot)

const tools = await findFfmpeg()
const embedded = await findFfmpeg({ env: { ...process.env, PATH: '' } })

/** Time of each packet in ticks, in file order. */
const packetTimes = async (file: string) => {
  const entries = ['-select_streams', 'v', '-show_entries', 'packet=pts,dts', '-of', 'csv=p=0']
  const printed = await runProcess(tools.ffprobe, ['-v', 'error', ...entries, file], undefined)
  const rows = printed
    .trim()
    .split('\n')
    .map((line) => line.split(',').map(Number))
  return {
    pts: rows.map(([pts = Number.NaN]) => pts).sort((a, b) => a - b),
    dts: rows.map(([, dts = Number.NaN]) => dts),
  }
}
const steps = (times: number[]) => [...new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)))]

test('the video is limited-range bt709 yuv420p H.264 and starts with its index', async () => {
  const { file } = await shoot(await scratch())
  const { video, audio, tags } = await probeMedia(file, { countFrames: true })
  expect(video).toMatchObject([
    {
      codec: 'h264',
      codecTag: 'avc1',
      profile: 'High',
      pixFmt: 'yuv420p',
      width: 64,
      height: 48,
      frames: 12,
      range: 'tv',
      matrix: 'bt709',
      transfer: 'bt709',
      primaries: 'bt709',
      fps: { num: 30, den: 1 },
    },
  ])
  expect(audio).toEqual([])
  expect(tags).not.toHaveProperty('encoder')
  const bytes = await readFile(file)
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
})

test('a silent video with one segment is written once', async () => {
  const { file, segments } = await shoot(await scratch())
  expect((await readFile(file)).equals(await readFile(segments[0] ?? ''))).toBe(true)
})

test.each([
  [{ quality: 'draft' }, { crf: '28.0', subme: '0', ref: '1', bframes: '0' }],
  [{ quality: 'standard' }, { crf: '18.0', subme: '7', ref: '3', bframes: '3' }],
  [{ quality: 'high' }, { crf: '15.0', subme: '8', ref: '5', bframes: '3' }],
  [
    { quality: 'draft', crf: 33 },
    { crf: '33.0', subme: '0' },
  ],
  [{ crf: 0 }, { rc: 'cqp', qp: '0', subme: '7' }],
  [{ videoBitrate: '2.5M' }, { rc: 'abr', bitrate: '2500', subme: '7' }],
] satisfies [Partial<RenderRequest>, Record<string, string>][])('%o is given to x264', async (request, options) => {
  const { segments } = await shoot(await scratch(), { request })
  const info = await readX264Info(segments[0] ?? '')
  expect(info?.options).toMatchObject(options)
})

test('threads come from the plan', async () => {
  const { settings, segments } = await shoot(await scratch(), { width: 320, height: 240 })
  expect(settings).toEqual({
    recipe: 4,
    preset: 'medium',
    crf: 18,
    bitrate: null,
    threads: 4,
    hdr: true,
    gpu: false,
  })
  expect((await readX264Info(segments[0] ?? ''))?.options).toMatchObject({ threads: '4' })
})

test('a video bitrate is kept within a quarter, also with noise', async () => {
  const request = { videoBitrate: '2M', quality: 'draft' } as const
  const { file } = await shoot(await scratch(), {
    width: 160,
    height: 120,
    segments: [90, 60],
    paint: noise,
    request,
  })
  const bits = (await readFile(file)).length * 8
  expect(bits / 5).toBeGreaterThan(1.5e6)
  expect(bits / 5).toBeLessThan(2.5e6)
})

test.each(['1k', '5', '9000M'])('a video bitrate of %s is an error', async (videoBitrate) => {
  await expect(shoot(await scratch(), { request: { videoBitrate } })).rejects.toMatchObject({
    code: 'VID_VIDEO_BITRATE',
    fault: 'caller',
    message: expect.stringContaining(videoBitrate),
  })
})

test.each([
  [101, 57, 102, 58],
  [1, 1, 2, 2],
])('%i×%i is padded to %i×%i', async (width, height, evenWidth, evenHeight) => {
  const { file } = await shoot(await scratch(), { width, height, segments: [3, 1] })
  const { video } = await probeMedia(file, { countFrames: true })
  expect(video).toMatchObject([{ width: evenWidth, height: evenHeight, frames: 4 }])
})

interface Seams {
  readonly segments: readonly number[]
  readonly fps: number
  readonly quality?: RenderRequest['quality']
}

describe.each([
  ['preferred', {}],
  ['embedded', { VID_FFMPEG_PATH: embedded.ffmpeg, VID_FFPROBE_PATH: embedded.ffprobe }],
])('with the %s ffmpeg', (_, env) => {
  afterEach(() => {
    for (const name of Object.keys(env)) delete process.env[name]
  })

  test.each<Seams>([
    { segments: [10, 10, 4], fps: 30 },
    { segments: [10, 10, 4], fps: 24, quality: 'draft' },
    { segments: [5, 2, 1, 5, 1, 2], fps: 60 },
    { segments: [1, 1, 1], fps: 30, quality: 'high' },
    { segments: [1], fps: 30 },
  ])('seams of $segments frames show nothing at $fps fps', async ({ segments, fps, quality = 'standard' }) => {
    Object.assign(process.env, env)
    const shot = { segments, fps, request: { quality } }
    const video = await shoot(await scratch(), shot)
    const again = await shoot(await scratch(), shot)
    expect((await readFile(video.file)).equals(await readFile(again.file))).toBe(true)

    const total = segments.reduce((sum, frames) => sum + frames, 0)
    const hashes = await frameHashes(video.file)
    expect(hashes).toHaveLength(total)
    expect(new Set(hashes).size).toBe(total)
    expect(hashes).toEqual((await Promise.all(video.segments.map((file) => frameHashes(file)))).flat())

    const { pts, dts } = await packetTimes(video.file)
    expect(pts[0]).toBe(0)
    expect([steps(pts), steps(dts)]).toEqual(total === 1 ? [[], []] : [[512], [512]].map(() => [pts[1]]))
    const [stream] = (await probeMedia(video.file)).video
    expect(stream).toMatchObject({ start: 0, frames: total, fps: { num: fps, den: 1 } })
    expect(stream?.duration).toBeCloseTo(total / fps, 5)
  })
})

test.each([
  ['30000/1001', { num: 30_000, den: 1001 }, 1001],
  ['24000/1001', { num: 24_000, den: 1001 }, 1001],
  ['60000/1001', { num: 60_000, den: 1001 }, 1001],
  ['25/2', { num: 25, den: 2 }, 1024],
])('at %s fps, every frame of joined segments has its exact time', async (fps, exact, step) => {
  const { file } = await shoot(await scratch(), { fps, segments: [50, 50, 7, 1] })
  const { pts } = await packetTimes(file)
  expect(steps(pts)).toEqual([step])
  const [stream] = (await probeMedia(file)).video
  expect(stream).toMatchObject({ start: 0, frames: 108, fps: exact })
  expect(stream?.duration).toBeCloseTo((108 * exact.den) / exact.num, 6)
})

test.each([
  [30, [12, 12]],
  [24, [7, 30]],
  [60, [61]],
])('sound is AAC of 192 kb/s as long as the frames: %d fps, %o', async (fps, segments) => {
  const folder = await scratch()
  const seconds = segments.reduce((sum, frames) => sum + frames, 0) / fps
  const audio = await toneFile(folder, { seconds, onset: 0.25 })
  const { file } = await shoot(folder, { segments, audio, fps })
  const { video, audio: sound } = await probeMedia(file)
  expect(video).toMatchObject([{ start: 0, frames: seconds * fps }])
  expect(sound).toMatchObject([{ codec: 'aac', sampleRate: 48000, channels: 2, start: 0 }])
  expect(Math.abs((sound[0]?.duration ?? 0) - seconds)).toBeLessThanOrEqual(1024 / 48_000)
  const bytes = await readFile(file)
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
})

test('a tone starts within a millisecond of its time, and equal sounds give equal bytes', async () => {
  const folder = await scratch()
  const audio = await toneFile(folder, { seconds: 0.8, onset: 0.25 })
  const { file } = await shoot(folder, { segments: [12, 12], audio })
  const decode = ['-i', file, '-map', '0:a', '-f', 'f32le', '-c:a', 'pcm_f32le', '-y', join(folder, 'raw')]
  await runProcess(tools.ffmpeg, ['-v', 'error', ...decode], undefined)
  const bytes = await readFile(join(folder, 'raw'))
  const left = Array.from({ length: bytes.length / 8 }, (_, n) => Math.abs(bytes.readFloatLE(n * 8)))
  const onset = left.findIndex((value) => value > 0.1)
  expect(Math.abs(onset / 48_000 - 0.25)).toBeLessThan(0.001)
  const again = await shoot(await scratch(), { segments: [12, 12], audio })
  expect((await readFile(again.file)).equals(await readFile(file))).toBe(true)
})

test('a short segment leaves no other file', async () => {
  const folder = await scratch()
  await shoot(folder, { segments: [4, 1] })
  expect((await readdir(folder)).sort()).toEqual(['segment-0.mp4', 'segment-1.mp4', 'video.mp4'])
})

test('the build names ffmpeg and x264', async () => {
  const plugin = mp4()
  const signal = new AbortController().signal
  const build = await plugin.build?.({
    options: plugin.options,
    signal,
    projectDir: '',
    workDir: '',
    sources: noSources,
    warn() {},
  })
  expect(build).toMatch(/^ffmpeg \S+ [0-9a-f]{12}, x264 \d+/)
})

test('settings of another version are an error', async () => {
  const other = { ...mp4(), settings: () => ({ recipe: 1 }) }
  await expect(shootVideo(other, await scratch())).rejects.toMatchObject({ code: 'VID_ENCODER_SETTINGS' })
})

test('the frames that x264 holds before its load is steady follow from its settings', () => {
  const { lookahead, settings } = mp4()
  const lookaheadOf = (changes: Partial<RenderRequest>, [width, height] = [1280, 720]) => {
    const request = { quality: 'standard', gpu: false, ...changes } as RenderRequest
    return lookahead?.(settings?.(request, { threads: 4 }) ?? {}, { width, height })
  }
  expect([lookaheadOf({ quality: 'draft' }), lookaheadOf({}), lookaheadOf({ quality: 'high' })]).toEqual([4, 44, 54])
  expect([lookaheadOf({ quality: 'draft' }, [1920, 1080]), lookaheadOf({ quality: 'high' }, [1920, 1080])]).toEqual([
    4, 24,
  ])
  expect(lookaheadOf({ quality: 'draft', videoBitrate: '5M' })).toBe(44)
})
