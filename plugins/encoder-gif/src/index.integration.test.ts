import { readFile } from 'node:fs/promises'
import { decodeFrames, findFfmpeg, probeMedia } from '@vid/ffmpeg'
import { noise, type Painter, type Shot, scratchFolder, shootVideo } from '@vid/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import gif from './index.ts'

const embedded = await findFfmpeg({ env: { ...process.env, PATH: '' } })
const shoot = async (shot?: Shot) => shootVideo(gif(), await scratchFolder(), shot)

const framesOf = async (file: string) => {
  const frames: Uint8Array[] = []
  for await (const frame of decodeFrames(file, { pixFmt: 'rgba' })) frames.push(frame)
  return frames
}

/** Hundredths of a second of each frame, and the bytes of its image, by walking through the file's blocks. */
const blocksOf = (bytes: Buffer) => {
  const delays: number[] = []
  const images: number[] = []
  let offset = 13 + 256 * 3
  const skip = () => {
    while (bytes[offset]) offset += (bytes[offset] ?? 0) + 1
    offset += 1
  }
  while (bytes[offset] !== 0x3b) {
    if (bytes[offset] === 0x21) {
      if (bytes[offset + 1] === 0xf9) delays.push(bytes.readUInt16LE(offset + 4))
      offset += 2
    } else {
      expect(bytes[offset], `block at ${offset}`).toBe(0x2c)
      // No palette of its own.
      expect((bytes[offset + 9] ?? 0) & 0x80).toBe(0)
      const start = offset
      offset += 11
      skip()
      images.push(offset - start)
      continue
    }
    skip()
  }
  expect(offset).toBe(bytes.length - 1)
  return { delays, images }
}

test.each([
  [24, [4, 4, 5, 4, 4, 4]],
  [30, [3, 4, 3, 3, 4, 3]],
])('at %d fps, the frames keep the whole in time', async (fps, delays) => {
  const { file } = await shoot({ fps, segments: [fps] })
  const fileDelays = blocksOf(await readFile(file)).delays
  expect(fileDelays).toHaveLength(fps)
  expect(fileDelays.slice(0, 6)).toEqual(delays)
  expect(fileDelays.reduce((a, b) => a + b, 0)).toBe(100)
})

test('a rate that hundredths of a second cannot give keeps the whole in time', async () => {
  const { file } = await shoot({ fps: '30000/1001', segments: [30] })
  const fileDelays = blocksOf(await readFile(file)).delays
  expect(new Set(fileDelays)).toEqual(new Set([3, 4]))
  expect(fileDelays.reduce((a, b) => a + b, 0)).toBe(100)
})

test.each([undefined, 1, 65_535])('loop count %s is in the file', async (gifLoop) => {
  const { file } = await shoot({ segments: [1], request: gifLoop === undefined ? {} : { gifLoop } })
  const bytes = await readFile(file)
  expect(bytes.readUInt16LE(bytes.indexOf('NETSCAPE2.0') + 13)).toBe(gifLoop ?? 0)
})

/** Nearly every palette entry is used in every order, so that tables fill up and start again. */
const scatter: Painter = (index, data) => {
  const random = new Uint8Array(data.length)
  noise(index, random, 0)
  for (let offset = 0; offset < data.length; offset += 4) {
    const shade = (random[offset] ?? 0) % 250
    data.set([shade & 0xe0, (shade << 3) & 0xe0, (shade << 6) & 0xc0, 255], offset)
  }
}

/** Squares that come, move and go on a clear ground, one of them half clear. */
const squares: Painter = (index, data, width) => {
  const square = (left: number, top: number, colour: readonly number[]) => {
    for (let y = top; y < top + 10; y++) for (let x = left; x < left + 10; x++) data.set(colour, (y * width + x) * 4)
  }
  square((index * 4) % 50, 4, [220, 30, 40, 255])
  if (index % 3 !== 1) square(20, 24, [20, 140, 60, 255])
  if (index % 4 === 2) square(40, 24, [30, 60, 200, index % 8 === 2 ? 140 : 100])
}

const roundedAlpha = (data: Uint8Array) => {
  for (let offset = 0; offset < data.length; offset += 4)
    if ((data[offset + 3] ?? 0) < 128) data.fill(0, offset, offset + 4)
    else data[offset + 3] = 255
  return data
}

describe.each([
  ['preferred', {}],
  ['embedded', { VID_FFMPEG_PATH: embedded.ffmpeg, VID_FFPROBE_PATH: embedded.ffprobe }],
])('with the %s ffmpeg', (_, env) => {
  afterEach(() => {
    for (const name of Object.keys(env)) delete process.env[name]
  })

  test.each<[string, Painter, number, number]>([
    ['noise in 250 colours', scatter, 320, 180],
    ['moving squares', squares, 64, 48],
  ])('%s are encoded exactly', async (_name, paint, width, height) => {
    Object.assign(process.env, env)
    const { file } = await shoot({ width, height, paint, segments: [5, 5, 3] })
    for (const name of Object.keys(env)) delete process.env[name]
    const frames = await framesOf(file)
    expect(frames).toHaveLength(13)
    for (const [index, frame] of frames.entries()) {
      const expected = new Uint8Array(width * height * 4)
      paint(index, expected, width)
      const alpha = roundedAlpha(frame)
      expect(Buffer.from(alpha).equals(roundedAlpha(expected)), `frame ${index}`).toBe(true)
    }
  })
})

test('a gradient of more colours than a palette has keeps its mean', async () => {
  const paint: Painter = (index, data, width) => {
    for (let offset = 0; offset < data.length; offset += 4) {
      const x = (offset / 4) % width
      data.set([x, (x * 7 + index * 20) % 256, 255 - x, 255], offset)
    }
  }
  const { file } = await shoot({ width: 256, height: 64, paint, segments: [3, 3] })
  for (const [index, frame] of (await framesOf(file)).entries()) {
    const expected = new Uint8Array(frame.length)
    paint(index, expected, 256)
    const meanOf = (data: Uint8Array, channel: number) =>
      data.reduce((sum, value, offset) => (offset % 4 === channel ? sum + value : sum), 0) / (data.length / 4)
    for (const channel of [0, 1, 2])
      expect(Math.abs(meanOf(frame, channel) - meanOf(expected, channel)), `frame ${index}`).toBeLessThan(2)
  }
})

test('a frame with few changes takes few bytes', async () => {
  const paint: Painter = (index, data, width) => {
    scatter(0, data, width)
    data.set([255, 255, 255], 4 * (index + width * 3))
  }
  const { images } = blocksOf(await readFile((await shoot({ width: 128, height: 96, paint })).file))
  expect(images[0]).toBeGreaterThan(5000)
  for (const bytes of images.slice(1)) expect(bytes).toBeLessThan(40)
})

test.each([
  [1, 1],
  [101, 57],
])('%i×%i keeps its size', async (width, height) => {
  const { file } = await shoot({ width, height, segments: [2, 1] })
  expect((await probeMedia(file, { countFrames: true })).video).toMatchObject([{ width, height, frames: 3 }])
})

test('a draft has half the colours, and settings of another version are an error', async () => {
  expect((await shoot({ segments: [1], request: { quality: 'draft' } })).settings).toMatchObject({
    colours: 128,
  })
  const other = { ...gif(), settings: () => ({ recipe: 1 }) }
  const shooting = shootVideo(other, await scratchFolder())
  await expect(shooting).rejects.toMatchObject({ code: 'VID_ENCODER_SETTINGS' })
})
