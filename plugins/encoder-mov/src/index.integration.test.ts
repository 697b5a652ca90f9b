import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeFrames, findFfmpeg, frameHashes, probeMedia, runProcess } from '@vid/ffmpeg'
import type { Frame, PluginOf } from '@vid/kernel'
import { noise, type Painter, type Shot, scratchFolder, shootVideo, toneFile } from '@vid/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import mov from './index.ts'

const tools = await findFfmpeg()
const embedded = await findFfmpeg({ env: { ...process.env, PATH: '' } })
const shoot = async (shot?: Shot, options = {}) => shootVideo(mov(options), await scratchFolder(), shot)

test('the video is limited-range bt709 ProRes 4444 and starts with its index', async () => {
  const { file } = await shoot()
  const { video, audio, tags } = await probeMedia(file, { countFrames: true })
  expect(video).toMatchObject([
    {
      codec: 'prores',
      codecTag: 'ap4h',
      profile: '4444',
      width: 64,
      height: 48,
      frames: 12,
      start: 0,
      matrix: 'bt709',
      transfer: 'bt709',
      primaries: 'bt709',
      fps: { num: 30, den: 1 },
    },
  ])
  expect(video[0]?.pixFmt).toMatch(/^yuva444p1[02]le$/)
  expect(audio).toEqual([])
  expect(tags).not.toHaveProperty('encoder')
  const bytes = await readFile(file)
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
})

test('a higher quality is more accurate and larger', async () => {
  const sizes: number[] = []
  const errors: number[] = []
  for (const quality of ['draft', 'standard', 'high'] as const) {
    const { file } = await shoot({
      width: 160,
      height: 90,
      segments: [1],
      paint: noise,
      request: { quality },
    })
    sizes.push((await stat(file)).size)
    for await (const frame of decodeFrames(file, { pixFmt: 'rgba' })) {
      const expected = new Uint8Array(frame.length)
      noise(0, expected, 160)
      const sum = frame.reduce(
        (all, value, index) => all + (index % 4 < 3 ? (value - (expected[index] ?? 0)) ** 2 : 0),
        0,
      )
      errors.push(Math.sqrt(sum / (160 * 90 * 3)))
    }
  }
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b))
  expect(errors).toEqual([...errors].sort((a, b) => b - a))
  expect(errors[2]).toBeLessThan(2)
})

test.each([
  [1, 1],
  [101, 57],
])('%i×%i keeps its size', async (width, height) => {
  const { file } = await shoot({ width, height, segments: [2, 1] })
  expect((await probeMedia(file, { countFrames: true })).video).toMatchObject([{ width, height, frames: 3 }])
})

test.each([
  [24, [5, 5, 2]],
  [30, [1]],
  [60, [7, 1, 7]],
])('at %d fps, segments of %o frames join without a seam', async (fps, segments) => {
  const { file } = await shoot({ fps, segments })
  const total = segments.reduce((sum, frames) => sum + frames, 0)
  const { file: whole } = await shoot({ fps, segments: [total] })
  expect((await readFile(file)).equals(await readFile(whole))).toBe(true)
  expect(new Set(await frameHashes(file)).size).toBe(total)
  const [stream] = (await probeMedia(file)).video
  expect(stream).toMatchObject({ start: 0, frames: total, fps: { num: fps, den: 1 } })
  expect(stream?.duration).toBeCloseTo(total / fps, 5)
})

test.each([
  ['30000/1001', { num: 30_000, den: 1001 }],
  ['24000/1001', { num: 24_000, den: 1001 }],
  ['25/2', { num: 25, den: 2 }],
])('a rate of %s is exact over segments', async (fps, exact) => {
  const { file } = await shoot({ fps, segments: [50, 7, 1] })
  const [stream] = (await probeMedia(file)).video
  expect(stream).toMatchObject({ start: 0, frames: 58, fps: exact })
  expect(stream?.duration).toBeCloseTo((58 * exact.den) / exact.num, 6)
})

/** A plugin whose captured frames say that they repeat where they do, as those of a page do. */
const marking = (plugin: PluginOf<'encoder'>): PluginOf<'encoder'> => ({
  ...plugin,
  encode: (frames, ...rest) => plugin.encode(markRepeats(frames), ...rest),
})
async function* markRepeats(frames: AsyncIterable<Frame>): AsyncGenerator<Frame> {
  let before: Frame | undefined
  for await (const frame of frames) {
    const isSame = before !== undefined && Buffer.from(before.data).equals(frame.data)
    before = isSame && before ? { ...frame, data: before.data, repeat: true } : frame
    yield before
  }
}
/** Stands still from the third frame to the ninth. */
const pausing: Painter = (index, data, width) => noise(index < 3 || index > 8 ? index : 3, data, width)

describe.each([
  ['preferred', {}],
  ['embedded', { VID_FFMPEG_PATH: embedded.ffmpeg, VID_FFPROBE_PATH: embedded.ffprobe }],
])('with the %s ffmpeg', (_, env) => {
  afterEach(() => {
    for (const name of Object.keys(env)) delete process.env[name]
  })

  test.each(['standard', 'high'] as const)(
    'a frame that repeats is encoded once, to the same bytes in quality %s',
    async (quality) => {
      Object.assign(process.env, env)
      const shot = { segments: [5, 7], paint: pausing, request: { quality } }
      const plain = await shoot(shot)
      const marked = await shootVideo(marking(mov()), await scratchFolder(), shot)
      expect((await readFile(marked.file)).equals(await readFile(plain.file))).toBe(true)
      expect((await probeMedia(marked.file, { countFrames: true })).video).toMatchObject([{ frames: 12 }])
      const [plainBytes = 0, markedBytes = 0] = await Promise.all(
        [plain, marked].map(async ({ segments }) => (await stat(segments[1] ?? '')).size),
      )
      expect(markedBytes).toBeLessThan(plainBytes * 0.7)
    },
  )

  test('the picture is marked as having alpha and does not name the encoder', async () => {
    Object.assign(process.env, env)
    const bytes = await readFile((await shoot()).file)
    const entry = bytes.indexOf('ap4h', bytes.indexOf('stsd')) - 4
    // QuickTime's depth: 32 bits are true colour and alpha.
    expect(bytes.readUInt16BE(entry + 82)).toBe(32)
    expect(bytes.indexOf('glbl')).toBe(-1)
    expect(bytes.indexOf('Lavf')).toBe(-1)
  })
})

test('the bytes do not depend on the number of threads', async () => {
  const shot = { width: 320, height: 180, paint: noise, segments: [3] }
  const [two, eight] = await Promise.all([2, 8].map(async (threads) => (await shoot(shot, { threads })).file))
  expect((await readFile(two ?? '')).equals(await readFile(eight ?? ''))).toBe(true)
})

test.each([24, 30, 60])('sound at %d fps is AAC, as long as the frames, and begins where it was mixed', async (fps) => {
  const folder = await scratchFolder()
  const seconds = 25 / fps
  const audio = await toneFile(folder, { seconds, onset: 0.25 })
  const { file } = await shootVideo(mov(), folder, { fps, segments: [12, 13], audio })
  const { video, audio: sound } = await probeMedia(file)
  expect(video).toMatchObject([{ start: 0 }])
  expect(sound).toMatchObject([{ codec: 'aac', sampleRate: 48_000, channels: 2, start: 0 }])
  expect(Math.abs((sound[0]?.duration ?? 0) - seconds)).toBeLessThanOrEqual(1024 / 48_000)
  const raw = join(folder, 'raw')
  await runProcess(tools.ffmpeg, ['-v', 'error', '-i', file, '-map', '0:a', '-f', 'f32le', raw], undefined)
  const bytes = await readFile(raw)
  const left = Array.from({ length: bytes.length / 8 }, (_, index) => Math.abs(bytes.readFloatLE(index * 8)))
  expect(Math.abs(left.findIndex((value) => value > 0.1) / 48_000 - 0.25)).toBeLessThan(0.001)
})

test('settings of another version are an error', async () => {
  const other = { ...mov(), settings: () => ({ recipe: 1 }) }
  const shooting = shootVideo(other, await scratchFolder())
  await expect(shooting).rejects.toMatchObject({ code: 'VID_ENCODER_SETTINGS' })
})
