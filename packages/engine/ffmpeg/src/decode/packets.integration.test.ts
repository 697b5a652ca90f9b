import { mkdtemp, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyPackets, findFfmpeg, PACKETS_FILE, packetColour, readSource, runProcess } from '../index.ts'

const { signal } = new AbortController()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-packets-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const make = async (name: string, args: readonly string[], seconds = 4) => {
  const { ffmpeg } = await findFfmpeg()
  const file = join(folder, name)
  const input = ['-f', 'lavfi', '-i', `testsrc2=s=64x36:r=30:d=${seconds}`]
  await runProcess(ffmpeg, ['-v', 'error', '-y', ...input, ...args, file], signal)
  return file
}
const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'] as const

const copy = async (file: string, ticks?: readonly number[]) => {
  const source = await readSource(file)
  const { picture } = source
  if (!picture) throw new Error(`${file} has no picture`)
  const times = (await source.frameTimes()).times.map(Math.round)
  const job = { source: { ...source, picture }, shown: ticks ?? times, folder, signal }
  return { source, times, packets: await copyPackets({ ...job, tools: await findFfmpeg() }) }
}

test.each([
  ['an MP4 with frames out of order', 'order.mp4', ['-bf', '3', '-g', '30']],
  ['a Matroska file', 'order.mkv', ['-bf', '2', '-g', '50']],
  ['a transport stream, which begins late', 'late.ts', ['-g', '25']],
])('%s yields every frame and the key frames', async (_name, file, args) => {
  const { packets, times } = await copy(await make(file, [...H264, ...args]))
  expect([...(packets?.ticks ?? [])].sort((a, b) => a - b)).toEqual(times)
  const step = Number(args.at(-1))
  expect(packets?.keys).toEqual(Array.from({ length: Math.ceil(120 / step) }, (_, nth) => nth * step))
  expect(packets?.codec).toMatch(/^avc1\.[0-9a-f]{6}$/)
  const bytes = packets?.sizes.reduce((sum, size) => sum + size, 0)
  expect((await stat(join(folder, PACKETS_FILE))).size).toBe(bytes)
})

test('packets far from the shown frames are not copied', async () => {
  const file = await make('long.mp4', [...H264, '-g', '30'], 12)
  const { packets } = await copy(file, [60_000, 61_000])
  const ticks = packets?.ticks ?? []
  expect(ticks).toContain(60_000)
  expect(Math.min(...ticks)).toBeGreaterThan(20_000)
  expect(Math.max(...ticks)).toBeLessThan(100_000)
})

test('a stream that is damaged or has its key frames far apart is not used', async () => {
  const whole = await make('torn.mkv', [...H264, '-g', '30'])
  await truncate(whole, Math.floor((await stat(whole)).size / 2))
  const tornCopy = await copy(whole)
  // Either the packets decode or there are none; the table never disagrees with the file.
  const bytes = tornCopy.packets?.sizes.reduce((sum, size) => sum + size, 0)
  if (tornCopy.packets) expect((await stat(join(folder, PACKETS_FILE))).size).toBe(bytes)
  const { packets } = await copy(await make('one.mp4', [...H264, '-g', '9999', '-sc_threshold', '0'], 24))
  expect(packets).toBeUndefined()
})

test('decoding starts only at key frames that need no earlier frame', async () => {
  const options = ['-bf', '3', '-g', '30', '-x264-params', 'open-gop=1:scenecut=0']
  const { packets } = await copy(await make('open.mp4', [...H264, ...options]))
  expect(packets?.keys).toEqual([0])
})

test.each([
  ['h264', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'], { matrix: 'smpte170m', fullRange: false }],
  [
    'tagged h264',
    ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-colorspace', 'bt709'],
    { matrix: 'bt709', fullRange: false },
  ],
  ['full range', ['-c:v', 'libx264', '-pix_fmt', 'yuvj420p'], { matrix: 'smpte170m', fullRange: true }],
  ['10 bits', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p10le'], undefined],
  ['4:4:4', ['-c:v', 'libx264', '-pix_fmt', 'yuv444p'], undefined],
  ['wide pixels', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-vf', 'setsar=2'], undefined],
  ['another codec', ['-c:v', 'mpeg4', '-pix_fmt', 'yuv420p'], undefined],
] as const)('the colours of %s', async (name, args, expected) => {
  const source = await readSource(await make(`${name.replaceAll(/\W/g, '-')}.mp4`, args, 0.2))
  expect(packetColour(source.picture)).toEqual(expected)
})
