import { readFile } from 'node:fs/promises'
import { findFfmpeg, frameHashes, probeMedia, readMastering, runProcess } from '@vid/ffmpeg'
import { type Hdr, noSources, type RenderPlan } from '@vid/kernel'
import { type Shot, scratchFolder, shootVideo } from '@vid/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import mp4 from './index.ts'

const shoot = async (shot: Shot) => shootVideo(mp4(), await scratchFolder(), shot)

const embedded = await findFfmpeg({ env: { ...process.env, PATH: '' } })
const hdr: Hdr = {
  transfer: 'pq',
  peak: 1000,
  maxCll: 900,
  maxFall: 250,
  mastering: 'G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)',
}

/** Times of the packets in ticks: when they are shown, ascending, and when they are decoded, as they come. */
const packetTimes = async (file: string) => {
  const { ffprobe } = await findFfmpeg()
  const entries = ['-select_streams', 'v', '-show_entries', 'packet=pts,dts', '-of', 'csv=p=0']
  const rows = (await runProcess(ffprobe, ['-v', 'error', ...entries, file], undefined)).trim().split('\n')
  const numbers = rows.map((line) => line.split(',').map(Number))
  return {
    pts: numbers.map(([pts = Number.NaN]) => pts).sort((a, b) => a - b),
    dts: numbers.map(([, dts = Number.NaN]) => dts),
  }
}

test.each([
  ['pq', 'smpte2084'],
  ['hlg', 'arib-std-b67'],
] as const)('a plan in %s is encoded as HEVC Main10 with its colour tags and HDR metadata', async (transfer, curve) => {
  const { file } = await shoot({ hdr: { ...hdr, transfer }, request: { quality: 'draft' } })
  const { video } = await probeMedia(file, { countFrames: true })
  expect(video).toMatchObject([
    {
      codec: 'hevc',
      codecTag: 'hvc1',
      profile: 'Main 10',
      pixFmt: 'yuv420p10le',
      frames: 12,
      range: 'tv',
      matrix: 'bt2020nc',
      transfer: curve,
      primaries: 'bt2020',
    },
  ])
  const metadata = await readMastering(file, 0, await findFfmpeg())
  expect(metadata).toEqual({ mastering: hdr.mastering, displayPeak: 1000, maxCll: 900, maxFall: 250 })
  const bytes = await readFile(file)
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  expect(bytes.includes('x265')).toBe(false)
})

test('an odd size is padded by one pixel', async () => {
  const { file } = await shoot({
    hdr,
    width: 65,
    height: 49,
    segments: [3, 1],
    request: { quality: 'draft' },
  })
  expect((await probeMedia(file)).video).toMatchObject([{ width: 66, height: 50, frames: 4 }])
})

describe.each([
  ['preferred', {}],
  ['embedded', { VID_FFMPEG_PATH: embedded.ffmpeg, VID_FFPROBE_PATH: embedded.ffprobe }],
])('with the %s ffmpeg', (_, env) => {
  afterEach(() => {
    for (const name of Object.keys(env)) delete process.env[name]
  })

  test.each([
    { segments: [7, 5], quality: 'standard' },
    { segments: [5, 2, 1, 4], quality: 'draft' },
  ] as const)(
    'equal plans give equal bytes, and segments of $segments frames join without a visible seam',
    async (shot) => {
      Object.assign(process.env, env)
      const { segments, quality } = shot
      const video = await shoot({ hdr, segments, request: { quality } })
      const again = await shoot({ hdr, segments, request: { quality } })
      expect((await readFile(video.file)).equals(await readFile(again.file))).toBe(true)
      const hashes = await frameHashes(video.file)
      expect(hashes).toHaveLength(12)
      expect(hashes).toEqual((await Promise.all(video.segments.map((file) => frameHashes(file)))).flat())
      const [stream] = (await probeMedia(video.file)).video
      expect(stream).toMatchObject({ start: 0, frames: 12, fps: { num: 30, den: 1 } })
      expect(stream?.duration).toBeCloseTo(0.4, 5)
      const times = await packetTimes(video.file)
      expect(times.pts).toEqual(times.pts.map((_, index) => index * 512))
      expect(times.dts).toEqual(times.dts.map((_, index) => (times.dts[0] ?? 0) + index * 512))
    },
  )
})

test('a file without the HDR of its plan fails verification', async () => {
  const plugin = mp4()
  const context = {
    options: plugin.options,
    projectDir: '',
    workDir: '',
    sources: noSources,
    warn() {},
  }
  const check = async (shot: Shot, expected: Hdr) => {
    const { file } = await shoot({ request: { quality: 'draft' }, ...shot })
    const segments = [{ index: 0, start: 0, frames: 12 }]
    const picture = { width: 64, height: 48, fps: 30, hdr: expected }
    const plan = { ...picture, frames: 12, segments, format: 'mp4' } as unknown as RenderPlan
    const frame = () => Promise.reject(new Error('captured'))
    const verification = { plan, artifact: { path: file }, sound: false, samples: [], frame }
    return plugin.verify?.(verification, { ...context, signal: new AbortController().signal })
  }
  const wrong = (problem: string) => ({
    code: 'VID_OUTPUT_WRONG',
    message: expect.stringContaining(problem),
  })
  await expect(check({ hdr }, hdr)).resolves.toBeUndefined()
  await expect(check({}, hdr)).rejects.toMatchObject(wrong('video codec is h264, not hevc'))
  await expect(check({ hdr: { ...hdr, transfer: 'hlg' } }, hdr)).rejects.toMatchObject(
    wrong('video transfer is arib-std-b67, not smpte2084'),
  )
  const other = { ...hdr, mastering: hdr.mastering.replace('L(10000000', 'L(40000000') }
  await expect(check({ hdr: other }, hdr)).rejects.toMatchObject(wrong('video mastering is G('))
})

test('an average bitrate replaces the CRF', async () => {
  const shot = { hdr, segments: [24], request: { videoBitrate: '500k', quality: 'draft' } } as const
  const { file, settings } = await shoot(shot)
  expect(settings).toMatchObject({ crf: null, bitrate: 500_000 })
  expect((await readFile(file)).equals(await readFile((await shoot(shot)).file))).toBe(true)
})
