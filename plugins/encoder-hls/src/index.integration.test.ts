import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, frameHashes, probeMedia, QUIET, runProcess } from '@vid/ffmpeg'
import { type RenderRequest, secondsOf } from '@vid/kernel'
import { noise, type Shot, scratchFolder, shootVideo, toneFile } from '@vid/testkit'
import { expect, test } from 'vitest'
import { contextOf, planOf } from './fixtures/plan.ts'
import { lengthsOf, linesOf, numbersOf, play, playedHashes } from './fixtures/playlists.ts'
import hls from './index.ts'

const tools = await findFfmpeg()
const draft = { quality: 'draft' } as const
const shoot = async (shot: Shot = {}, options: Parameters<typeof hls>[0] = {}, folder?: string) =>
  shootVideo(hls(options), folder ?? (await scratchFolder()), { request: draft, ...shot })

/** Puts files of a folder into one, as a player does that feeds a decoder. */
const concatenated = async (folder: string, names: readonly string[]): Promise<string> => {
  const path = join(await scratchFolder(), 'played.mp4')
  await writeFile(path, Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder, name))))))
  return path
}

const partsOf = async (folder: string, name: string) =>
  (await linesOf(folder, `${name}.m3u8`)).filter((line) => !line.startsWith('#'))

test('a player shows the frames of all segments, in order', async () => {
  const { file, segments } = await shoot({ segments: [12, 12, 7], paint: noise })
  const hashes = (await Promise.all(segments.map((segment) => frameHashes(segment)))).flat()
  expect(hashes).toHaveLength(31)
  expect(await playedHashes(file)).toEqual(hashes)
  expect((await readdir(file)).sort()).toEqual([
    '48p-00000.m4s',
    '48p-00001.m4s',
    '48p-00002.m4s',
    '48p-init.mp4',
    '48p-keys.m3u8',
    '48p.m3u8',
    'index.m3u8',
    'storyboard-0.jpg',
    'storyboard.vtt',
  ])
})

test.each([[24], ['30000/1001' as const], [60]])('frames at %s fps are shown at their times', async (fps) => {
  // Frames that move make B-frames, whose times differ from their order.
  const { file } = await shoot({ fps: fps as never, segments: [20, 20, 2, 1], request: {} })
  const path = await concatenated(file, ['48p-init.mp4', ...(await partsOf(file, '48p'))])
  const entries = ['-select_streams', 'v', '-show_entries', 'packet=pts,dts', '-of', 'csv=p=0']
  const printed = await runProcess(tools.ffprobe, ['-v', 'error', ...entries, path], undefined)
  const times = printed
    .trim()
    .split('\n')
    .map((line) => line.split(',').map(Number))
  const shown = times.map(([pts = Number.NaN]) => pts).sort((a, b) => a - b)
  const ticks = (shown[1] ?? 0) - (shown[0] ?? 0)
  expect(shown).toHaveLength(43)
  expect(shown).toEqual(shown.map((_, index) => (shown[0] ?? 0) + index * ticks))
  const decoded = times.map(([, dts = Number.NaN]) => dts)
  expect(decoded).toEqual(decoded.map((_, index) => (decoded[0] ?? 0) + index * ticks))
  const [stream] = (await probeMedia(path)).video
  expect(secondsOf(ticks, 1) / Number(/\d+$/.exec((await timeBaseOf(path)) ?? '')?.[0])).toBeCloseTo(
    secondsOf(1, fps as never),
    9,
  )
  expect(stream).toMatchObject({ codec: 'h264', codecTag: 'avc1', width: 64, height: 48 })
})

const timeBaseOf = async (path: string) =>
  (
    await runProcess(
      tools.ffprobe,
      ['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=time_base', '-of', 'csv=p=0', path],
      undefined,
    )
  ).trim()

test('the sound begins where it was mixed, in segments of its own that match those of the pictures', async () => {
  const folder = await scratchFolder()
  const audio = await toneFile(folder, { seconds: 2.5, onset: 1.25 })
  const { file } = await shoot({ segments: [30, 30, 15], audio }, {}, folder)
  const pictures = await lengthsOf(file, '48p.m3u8')
  const sound = await lengthsOf(file, 'audio.m3u8')
  expect(sound).toHaveLength(3)
  for (const [index, seconds] of sound.entries())
    expect(Math.abs(seconds - (pictures[index] ?? 0))).toBeLessThan(1024 / 48_000 + 1e-6)
  const raw = join(folder, 'raw')
  // The packet before the start, with which the first is decoded, has a time before 0.
  const output = ['-map', '0:a:0', '-af', 'atrim=start=0', '-f', 'f32le', '-y', raw]
  await runProcess(tools.ffmpeg, [...QUIET, '-copyts', '-i', `file:${join(file, 'index.m3u8')}`, ...output], undefined)
  const bytes = await readFile(raw)
  const left = Array.from({ length: bytes.length / 8 }, (_, index) => Math.abs(bytes.readFloatLE(index * 8)))
  expect(Math.abs(left.findIndex((value) => value > 0.1) / 48_000 - 1.25)).toBeLessThan(0.001)
  expect(Math.abs(left.length / 48_000 - 2.5)).toBeLessThan(1024 / 48_000)
  const [head] = (await linesOf(file, 'index.m3u8')).filter((line) => line.startsWith('#EXT-X-STREAM-INF'))
  expect(head).toMatch(/CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2",RESOLUTION=64x48,FRAME-RATE=30\.000,/)
})

test('a long segment of the plan is divided at key frames', async () => {
  const { file, segments } = await shoot({ fps: 10, segments: [45, 20] }, { segmentSeconds: 2 })
  expect(await lengthsOf(file, '48p.m3u8')).toEqual([1.5, 1.5, 1.5, 2])
  const hashes = (await Promise.all(segments.map((segment) => frameHashes(segment)))).flat()
  expect(await playedHashes(file)).toEqual(hashes)
  // Each can be decoded without those before it.
  const alone = await concatenated(file, ['48p-init.mp4', '48p-00002.m4s'])
  expect(await frameHashes(alone)).toEqual(hashes.slice(30, 45))
})

test('smaller sizes are made of the same frames, and their segments begin at the same times', async () => {
  const shot = { width: 160, height: 96, segments: [8, 8, 3] }
  const { file } = await shoot(shot, { ladder: [64, 80, 480] })
  const variants = (await linesOf(file, 'index.m3u8')).filter((line) => line.endsWith('p.m3u8'))
  expect(variants).toEqual(['96p.m3u8', '80p.m3u8', '64p.m3u8'])
  const lengths = await Promise.all(variants.map((playlist) => lengthsOf(file, playlist)))
  for (const others of lengths) expect(others).toEqual(lengths[0])
  for (const [name, width, height] of [
    ['96p', 160, 96],
    ['80p', 134, 80],
    ['64p', 106, 64],
  ] as const) {
    const path = await concatenated(file, [`${name}-init.mp4`, ...(await partsOf(file, name))])
    const { video } = await probeMedia(path, { countFrames: true })
    expect(video).toMatchObject([{ width, height, frames: 19 }])
  }
  // The largest is what it is without the others.
  const alone = await shoot(shot)
  expect(await playedHashes(file, '96p.m3u8')).toEqual(await playedHashes(alone.file))
})

test('the load of a ladder is steady once that of the rendition that looks furthest ahead is', () => {
  const { lookahead, settings } = hls({ threads: 4 })
  const framesOf = (ladder: string | undefined) => {
    const request = { quality: 'standard', gpu: false, ...(ladder && { ladder }) } as RenderRequest
    return lookahead?.(settings?.(request, { threads: 4, ladder: [], segmentSeconds: 6 }) ?? {}, {
      width: 1920,
      height: 1080,
    })
  }
  expect([framesOf(undefined), framesOf('960'), framesOf('720')]).toEqual([24, 24, 44])
})

test('a ladder of the request replaces that of the options, and is in the settings that segments are kept by', async () => {
  const shot = { width: 160, height: 96, segments: [4] }
  const requested = await shoot({ ...shot, request: { ...draft, ladder: '96,64' } }, { ladder: [80] })
  const variants = (await linesOf(requested.file, 'index.m3u8')).filter((line) => line.endsWith('p.m3u8'))
  expect(variants).toEqual(['96p.m3u8', '64p.m3u8'])
  expect(requested.settings).toMatchObject({ ladder: [96, 64] })
  expect((await shoot(shot, { ladder: [80] })).settings).toMatchObject({ ladder: [80] })
})

test('the bytes of a playlist of key frames hold one picture each', async () => {
  const { file, segments } = await shoot({ segments: [12, 9], paint: noise })
  const lines = await linesOf(file, '48p-keys.m3u8')
  expect(lines).toContain('#EXT-X-I-FRAMES-ONLY')
  const ranges = await numbersOf(file, '48p-keys.m3u8', /^#EXT-X-BYTERANGE:(\d+)@0$/)
  const names = await partsOf(file, '48p-keys')
  expect(names).toEqual(await partsOf(file, '48p'))
  for (const [index, name] of names.entries()) {
    const part = await concatenated(file, ['48p-init.mp4', name])
    const init = (await readFile(join(file, '48p-init.mp4'))).length
    await truncate(part, init + (ranges[index] ?? 0))
    const printed = await runProcess(tools.ffmpeg, ['-v', 'quiet', '-i', part, '-f', 'framemd5', 'pipe:1'], undefined)
    const hashes = printed
      .split('\n')
      .filter((line) => /^0,/.test(line))
      .map((line) => line.split(',').at(-1)?.trim())
    expect(hashes).toEqual((await frameHashes(segments[index] ?? '')).slice(0, 1))
  }
})

test('a segment that cannot be published is listed in no size', async () => {
  const plugin = hls({ ladder: [64] })
  const size = { width: 160, height: 120 }
  const { segments, settings } = await shoot({ ...size, segments: [12, 12] }, { ladder: [64] })
  const single = await shoot({ ...size, segments: [12] })
  const folder = await scratchFolder()
  const publication = await plugin.publish?.(
    { plan: planOf(settings, [12, 12], size), folder, audio: undefined },
    await contextOf(),
  )
  await publication?.add({ file: segments[0] ?? '' })
  const failure = publication?.add({ file: single.segments[0] ?? '' })
  await expect(failure).rejects.toMatchObject({ code: 'VID_HLS_SOURCE', message: expect.stringContaining('1 tracks') })
  await publication?.end()
  for (const name of ['120p', '64p']) {
    expect(await partsOf(folder, name)).toEqual([`${name}-00000.m4s`])
    expect((await linesOf(folder, `${name}.m3u8`)).at(-1)).toBe('#EXT-X-ENDLIST')
  }
})

test('equal plans give equal bytes', async () => {
  const shot = { width: 160, height: 120, segments: [12, 12] }
  const bytesOf = async () => {
    const folder = await scratchFolder()
    const audio = await toneFile(folder, { seconds: 0.8, onset: 0.1 })
    const { file } = await shoot({ ...shot, audio }, { ladder: [80] }, folder)
    const names = (await readdir(file)).sort()
    return Promise.all(names.map(async (name) => [name, await readFile(join(file, name), 'base64')]))
  }
  expect(await bytesOf()).toEqual(await bytesOf())
})

test('a folder that does not match its plan fails verification with all differences', async () => {
  const plugin = hls()
  const { file: path, settings } = await shoot({ segments: [12, 12], paint: noise })
  const plan = planOf(settings, [12, 12])
  const frame = () => Promise.reject(new Error('captured'))
  const verify = async (changes = {}) =>
    plugin.verify?.({ plan, artifact: { path }, sound: false, samples: [], frame, ...changes }, await contextOf())
  await expect(verify()).resolves.toBeUndefined()
  await expect(verify({ sound: true })).rejects.toThrow('audio.m3u8 is missing')
  await expect(verify({ plan: { ...plan, frames: 30 } })).rejects.toMatchObject({ code: 'VID_OUTPUT_WRONG' })
  const playlist = await readFile(join(path, '48p.m3u8'), 'utf8')
  await writeFile(join(path, '48p.m3u8'), playlist.replace('#EXT-X-ENDLIST\n', ''))
  await expect(verify()).rejects.toThrow('48p.m3u8 does not end')
  await writeFile(join(path, '48p.m3u8'), playlist)
  await writeFile(join(path, 'other.m4s'), '')
  await rm(join(path, '48p-00001.m4s'))
  await expect(verify()).rejects.toThrow(/48p-00001\.m4s is missing.*other\.m4s does not belong to it/)
})

test('what is published is what is joined, and it can be played before the end', async () => {
  const folder = await scratchFolder()
  const plugin = hls()
  const { file, segments, settings } = await shoot({ segments: [12, 12, 6], paint: noise }, {}, folder)
  const plan = planOf(settings, [12, 12, 6])
  const published = await scratchFolder()
  const publication = await plugin.publish?.({ plan, folder: published, audio: undefined }, await contextOf())
  for (const [index, segment] of segments.entries()) {
    await publication?.add({ file: segment })
    const lines = await linesOf(published, '48p.m3u8')
    expect(lines).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
    expect(lines.slice(0, 6)).toEqual(
      (await linesOf(file, '48p.m3u8')).slice(0, 6).map((line) => line.replace('VOD', 'EVENT')),
    )
    expect(await partsOf(published, '48p')).toHaveLength(index + 1)
    // It ends with its last segment: a player need not ask for more.
    expect(lines.includes('#EXT-X-ENDLIST')).toBe(index === segments.length - 1)
  }
  await publication?.end()
  expect(await playedHashes(published)).toEqual(await playedHashes(file))
  for (const name of await readdir(file))
    if (!name.endsWith('.m3u8'))
      expect((await readFile(join(published, name))).equals(await readFile(join(file, name))), name).toBe(true)
  expect(await play(published, ['-f', 'null'])).toBe('')
})
