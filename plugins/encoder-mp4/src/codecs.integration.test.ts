import { readFile } from 'node:fs/promises'
import {
  checkCodecSize,
  codecBuild,
  codecs,
  encodableCodecs,
  findFfmpeg,
  frameHashes,
  mp4SegmentArgs,
  mp4SettingsOf,
  probeMedia,
} from '@vid/ffmpeg'
import { checkRequest, type Frame, type RenderRequest, type SegmentJob } from '@vid/kernel'
import { scratchFolder, shootVideo } from '@vid/testkit'
import { expect, test } from 'vitest'
import mp4 from './index.ts'
import { encodeSegment } from './segment.ts'

const { signal } = new AbortController()
const tools = await findFfmpeg()
const able = await encodableCodecs(tools, signal)

type Codec = NonNullable<RenderRequest['codec']>

const shoot = async (codec: Codec, segments: readonly number[], request: Partial<RenderRequest> = {}) =>
  shootVideo(mp4(), await scratchFolder(), {
    width: 128,
    height: 96,
    segments,
    request: { quality: 'draft', codec, ...request },
  })

const tags = { h264: 'avc1', hevc: 'hvc1', av1: 'av01' } as const

const unread: AsyncIterable<Frame> = {
  [Symbol.asyncIterator]() {
    throw new Error('a frame was captured')
  },
}

test.each<[Codec, boolean, number, number, string]>([
  ['av1', false, 62, 96, 'AV1 needs at least 64 pixels in each direction; this picture has 62x96.'],
  ['hevc', false, 96, 14, 'HEVC needs at least 16 pixels in each direction; this picture has 96x14.'],
  ['h264', true, 14, 14, 'HEVC needs at least 16 pixels in each direction; this picture has 14x14.'],
])('%s, with HDR %s, of %ix%i is refused before a frame is captured', async (codec, isHdr, width, height, message) => {
  const settings = mp4SettingsOf(checkRequest({ projectDir: '.', format: 'mp4', output: 'v.mp4', codec }), 1)
  const plan = { width, height, fps: 30, encoder: { settings }, segments: [{}], ...(isHdr && { hdr: {} }) }
  const job = { plan, path: 'segment', frames: 9 } as unknown as SegmentJob
  await expect(encodeSegment(unread, job, { signal, tools })).rejects.toMatchObject({ code: 'VID_CODEC_SIZE', message })
})

test.each(['hevc', 'av1'] as const)('%s encodes the smallest picture that is not refused', async (codec) => {
  if (!able.includes(codec)) return expect(codec).toBe('av1')
  const { minSide } = codecs[codec]
  const side = { width: minSide, height: minSide }
  const { file } = await shootVideo(mp4(), await scratchFolder(), { ...side, segments: [3], request: { codec } })
  expect((await probeMedia(file, { countFrames: true })).video).toMatchObject([{ codec, ...side, frames: 3 }])
  // Odd sides become even.
  expect(() => checkCodecSize(codec, { width: minSide - 1, height: minSide })).not.toThrow()
})

test('this ffmpeg encodes h264 and hevc', () => expect(able).toEqual(expect.arrayContaining(['h264', 'hevc'])))

test.each(able)('%s has its tag and bt709, starts at 0 and shows the frames of its segments', async (codec) => {
  const { file, segments } = await shoot(codec, [12, 1, 2, 9])
  const { video, tags: named } = await probeMedia(file, { countFrames: true })
  expect(video).toMatchObject([
    {
      codec,
      codecTag: tags[codec],
      pixFmt: 'yuv420p',
      frames: 24,
      range: 'tv',
      matrix: 'bt709',
      transfer: 'bt709',
      primaries: 'bt709',
    },
  ])
  expect(named).not.toHaveProperty('encoder')
  const bytes = await readFile(file)
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  expect(bytes.includes('Lavc') || bytes.includes('x265 (build')).toBe(false)
  const apart = (await Promise.all(segments.map((segment) => frameHashes(segment)))).flat()
  expect(apart).toHaveLength(24)
  expect(await frameHashes(file)).toEqual(apart)
})

test.each(able.flatMap((codec) => [[codec, {}] as const, [codec, { videoBitrate: '400k' }] as const]))(
  '%s with %o has the same bytes in each run',
  async (codec, request) => {
    const [first, ...others] = await Promise.all(
      [1, 2, 3].map(async () => readFile((await shoot(codec, [15, 15], request)).file)),
    )
    for (const other of others) expect(first?.equals(other)).toBe(true)
  },
)

test('the build names the library of a codec, and is refused without it', async () => {
  expect(await codecBuild('hevc', signal)).toMatch(/^ffmpeg .*, libx265 \d/)
  const av1 = codecBuild('av1', signal)
  if (able.includes('av1')) expect(await av1).toMatch(/, libsvtav1 \d/)
  else await expect(av1).rejects.toMatchObject({ code: 'VID_CODEC_MISSING', fault: 'machine', final: true })
})

const settings = (request: Partial<RenderRequest>) =>
  mp4SettingsOf(checkRequest({ projectDir: '/p', output: '/o.mp4', ...request }), 4)

test('a chosen h264 has the settings of none, and each codec has its steps', () => {
  expect(settings({ codec: 'h264' })).toEqual(settings({}))
  for (const codec of ['hevc', 'av1'] as const) {
    const steps = (['draft', 'standard', 'high'] as const).map((quality) => settings({ codec, quality }).crf ?? 0)
    expect(steps).toEqual([...steps].sort((a, b) => b - a))
    expect(settings({ codec, crf: 30 })).toMatchObject({ codec, crf: 30, threads: 4 })
  }
})

test('SVT-AV1 gets its settings, and one thread for a bitrate, with which others give other bytes', () => {
  const picture = { width: 64, height: 64, fps: 30 }
  const args = mp4SegmentArgs('rgba', settings({ codec: 'av1', crf: 30 }), picture).join(' ')
  expect(args).toContain('-c:v libsvtav1')
  expect(args).toMatch(/-crf 30 -g 250 -svtav1-params lp=4/)
  expect(mp4SegmentArgs('rgba', settings({ codec: 'av1', videoBitrate: '1M' }), picture).join(' ')).toMatch(
    /-b:v 1000000 -g 250 -svtav1-params lp=1/,
  )
})

test.each([
  [{ codec: 'h264', hdr: true }, 'VID_CODEC_HDR'],
  [{ codec: 'av1', hdr: true }, 'VID_CODEC_HDR'],
  [{ codec: 'hevc', crf: 0 }, 'VID_CODEC_LOSSLESS'],
  [{ codec: 'av1', crf: 0 }, 'VID_CODEC_LOSSLESS'],
] as const)('%o is refused', (request, code) => {
  expect(() => settings(request)).toThrow(expect.objectContaining({ code, fault: 'caller' }))
})
