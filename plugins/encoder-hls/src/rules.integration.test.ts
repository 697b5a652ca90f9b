import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findFfmpeg, probeMedia, runProcess } from '@vid/ffmpeg'
import { noise, scratchFolder, shootVideo, toneFile } from '@vid/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lengthsOf, linesOf } from './fixtures/playlists.ts'
import hls from './index.ts'

const FRAMES = [30, 30, 30, 7]

/** A video in three sizes with sound. */
let folder: string
beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'vid-hls-rules-'))
  const audio = await toneFile(parent, { seconds: 97 / 20, onset: 0 })
  const shot = { width: 224, height: 126, fps: 20, segments: FRAMES, paint: noise, audio } as const
  const video = await shootVideo(hls({ ladder: [100, 72] }), parent, { ...shot, request: { quality: 'draft' } })
  folder = video.file
})
afterAll(() => rm(dirname(folder), { recursive: true }))

/** The playlists of media segments, each with its segments. */
const playlists = async () => {
  const names = (await readdir(folder)).filter((name) => /^(\d+p|audio)\.m3u8$/.test(name))
  return Promise.all(
    names.map(async (name) => {
      const lines = await linesOf(folder, name)
      const uris = lines.filter((line) => !line.startsWith('#'))
      const seconds = await lengthsOf(folder, name)
      const sizes = await Promise.all(uris.map(async (uri) => (await stat(join(folder, uri))).size))
      const target = Number(lines.find((line) => line.startsWith('#EXT-X-TARGETDURATION'))?.split(':')[1])
      return { name, lines, seconds, sizes, target, uris }
    }),
  )
}

/** The attributes of each size in the multivariant playlist. */
const variants = async () => {
  const lines = await linesOf(folder, 'index.m3u8')
  return lines.flatMap((line, index) => {
    if (!line.startsWith('#EXT-X-STREAM-INF:')) return []
    const pairs = [...line.matchAll(/([A-Z-]+)=("[^"]*"|[^,]*)/g)].map(([, key = '', value = '']) => [
      key,
      value.replaceAll('"', ''),
    ])
    return { playlist: lines[index + 1] ?? '', attributes: Object.fromEntries(pairs) as Record<string, string> }
  })
}

test('no media segment is longer than the target duration, which is the same in all playlists', async () => {
  const all = await playlists()
  expect(all).toHaveLength(4)
  for (const { name, seconds, target } of all) {
    expect(target, name).toBe(2)
    for (const length of seconds) expect(Math.round(length), name).toBeLessThanOrEqual(target)
    expect(Math.abs(seconds.reduce((sum, length) => sum + length, 0) - 97 / 20), name).toBeLessThan(0.03)
  }
})

test('the rates of each size are those of its files', async () => {
  const all = await playlists()
  const rateOf = ({ sizes, seconds }: { sizes: number[]; seconds: number[] }) =>
    (8 * sizes.reduce((sum, size) => sum + size, 0)) / seconds.reduce((sum, length) => sum + length, 0)
  const sound = all.find(({ name }) => name === 'audio.m3u8')
  for (const { playlist, attributes } of await variants()) {
    const list = all.find(({ name }) => name === playlist)
    if (!list || !sound) throw new Error(`${playlist} is missing`)
    expect(Math.abs(Number(attributes['AVERAGE-BANDWIDTH']) - rateOf(list) - rateOf(sound))).toBeLessThan(2)
    // No segment of at least half of the target duration is above the peak.
    const peaks = [list, sound].map(({ sizes, seconds }) =>
      Math.max(...sizes.map((size, index) => ((seconds[index] ?? 0) >= 1 ? (8 * size) / (seconds[index] ?? 1) : 0))),
    )
    expect(Number(attributes.BANDWIDTH)).toBeGreaterThanOrEqual((peaks[0] ?? 0) + (peaks[1] ?? 0) - 1)
    expect(Number(attributes.BANDWIDTH)).toBeGreaterThanOrEqual(Number(attributes['AVERAGE-BANDWIDTH']) - 1)
  }
})

test('the attributes of each size are those of its streams', async () => {
  const all = await playlists()
  const { ffprobe } = await findFfmpeg()
  const sizes = await variants()
  expect(sizes.map(({ playlist }) => playlist)).toEqual(['126p.m3u8', '100p.m3u8', '72p.m3u8'])
  for (const { playlist, attributes } of sizes) {
    const { uris = [] } = all.find(({ name }) => name === playlist) ?? {}
    const path = join(await scratchFolder(), 'whole.mp4')
    const names = [playlist.replace('.m3u8', '-init.mp4'), ...uris]
    await writeFile(path, Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder, name))))))
    const [video] = (await probeMedia(path)).video
    expect(attributes).toMatchObject({
      RESOLUTION: `${video?.width}x${video?.height}`,
      'FRAME-RATE': '20.000',
      'VIDEO-RANGE': 'SDR',
      AUDIO: 'sound',
    })
    const entries = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=profile,level', '-of', 'csv=p=0']
    const [profile, level] = (await runProcess(ffprobe, [...entries, path], undefined)).trim().split(',')
    const profiles: Readonly<Record<string, string>> = { 'Constrained Baseline': '42c0', High: '6400', Main: '4d40' }
    const codec = `avc1.${profiles[profile ?? '']}${Number(level).toString(16).padStart(2, '0')}`
    expect(attributes.CODECS).toBe(`${codec},mp4a.40.2`)
  }
})
