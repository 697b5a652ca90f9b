import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeFrames, frameHashes } from '@vid/ffmpeg'
import type { RenderSettings } from '@vid/render'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { makeCache } from '../support/caches.ts'
import { rendersOfFile } from '../support/renders.ts'
import { BLOCKS, COLOURS, makeSources } from '../support/sources.ts'
import { here, vidInProcess } from '../support/vid.ts'

const FPS = 30
const WIDTH = 640
let work: string
let project: string

/** Cells of the composition by what they show. */
const CELLS = {
  rate2: [0, 0],
  mediaStart: [160, 0],
  looped: [320, 0],
  held: [480, 0],
  vfr: [0, 90],
  prores: [160, 90],
  nested: [320, 90],
  late: [480, 90],
  alpha: [0, 180],
  cover: [160, 180],
  drawn: [320, 180],
  missing: [480, 180],
} as const
type Cell = keyof typeof CELLS

const pixel = (frame: Uint8Array, x: number, y: number) => [
  ...frame.subarray((y * WIDTH + x) * 3, (y * WIDTH + x) * 3 + 3),
]
const inCell = (frame: Uint8Array, cell: Cell, x: number, y: number) =>
  pixel(frame, CELLS[cell][0] + x, CELLS[cell][1] + y)

/** The number that a source shows in a cell, at half its size. */
const numberIn = (frame: Uint8Array, cell: Cell): number =>
  Array.from({ length: 8 }, (_, bit) => {
    const x = Math.round((BLOCKS.left + bit * BLOCKS.step + BLOCKS.width / 2) / 2)
    return (inCell(frame, cell, x, 12)[1] ?? 0) > 128 ? 1 << bit : 0
  }).reduce((a, b) => a + b, 0)

interface Division {
  readonly segment?: number
  readonly lane?: string
}

const configure = async ({ segment = 30, lane = 'auto' }: Division) => {
  const config = `import puppeteer from '@vid/capture-puppeteer'
export default { capture: puppeteer({ lane: '${lane}' }), render: { segmentFrames: ${segment}, crf: 1 } }
`
  await writeFile(join(project, 'vid.config.mjs'), config)
}

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'vid-e2e-media-'))
  vi.stubEnv('VID_CACHE_DIR', await makeCache(join(work, 'cache')))
  project = join(work, 'project')
  await cp(here('projects/media'), project, { recursive: true })
  await symlink(here('../node_modules'), join(project, 'node_modules'))
  const names = ['h264.mp4', 'hevc.mp4', 'prores.mov', 'alpha.webm', 'vfr.mp4'] as const
  await makeSources(join(project, 'sources'), names)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(work, { recursive: true, force: true })
})

const renderFile = rendersOfFile()

const render = async (name: string, division: Division, settings: RenderSettings) => {
  await configure(division)
  const output = join(work, `${name}.mp4`)
  return { output, ...(await renderFile({ projectDir: project, output, ...settings })) }
}

const decoded = async (file: string) => {
  const all: Uint8Array[] = []
  for await (const frame of decodeFrames(file, { pixFmt: 'rgb24' })) all.push(frame)
  return all
}

let frames: Uint8Array[] = []
let hashes: string[]
let warned: string

beforeAll(async () => {
  const { output, ...rendered } = await render('one', {}, { workers: 1 })
  frames = await decoded(output)
  hashes = await frameHashes(output)
  warned = rendered.warned
})

test('a composition of many sources renders', () => {
  expect(frames).toHaveLength(90)
})

const numbers = (cell: Cell, from = 0, to = frames.length) =>
  frames.slice(from, to).map((frame) => numberIn(frame, cell))
const sequence = (from: number, to: number, number: (frame: number) => number) =>
  Array.from({ length: to - from }, (_, index) => number(from + index))

test('a rate of 2 shows every second frame, and ends with its source', () => {
  // Without a duration the window ends with the source, after 2 seconds.
  expect(numbers('rate2', 0, 60)).toEqual(sequence(0, 60, (n) => n * 2))
  expect(inCell(frames[60] ?? new Uint8Array(), 'rate2', 80, 80)).toEqual([255, 255, 255])
})

test('a media start begins inside the source', () => {
  expect(numbers('mediaStart', 0, 75)).toEqual(sequence(0, 75, (n) => n + 45))
})

test('a looped video repeats from its media start', () => {
  expect(numbers('looped', 15)).toEqual(sequence(15, 90, (n) => 90 + ((n - 15) % 30)))
})

test('a window longer than its source holds the last frame', () => {
  expect(numbers('held')).toEqual(sequence(0, 90, (n) => Math.min(119, n + 90)))
})

test('a source of variable rate shows each frame at its own time', () => {
  // It begins with frame 1, whose time stamp counts as the beginning.
  expect(numbers('vfr')).toEqual(sequence(1, 91, (n) => (n % 3 === 0 ? n - 1 : n)))
})

test('a ProRes source of another rate shows the frame of each time', () => {
  expect(numbers('prores')).toEqual(sequence(0, 90, (n) => Math.floor((n / FPS) * 25 + 1e-6)))
})

test('a video in a nested composition starts with its host, or by global time when it then overlaps it', () => {
  expect(numbers('nested', 45, 57)).toEqual(sequence(45, 57, (n) => n - 45))
  expect(numbers('nested', 60, 75)).toEqual(sequence(60, 75, (n) => n - 60))
  for (const frame of [44, 57, 75])
    expect(inCell(frames[frame] ?? new Uint8Array(), 'nested', 80, 80)).toEqual([255, 255, 255])
})

test('a source and a duration that a script sets are found', () => {
  expect(numbers('late', 6, 36)).toEqual(sequence(6, 36, (n) => n - 6))
  expect(inCell(frames[36] ?? new Uint8Array(), 'late', 80, 80)).toEqual([255, 255, 255])
})

test('a canvas draws the frame that the video shows', () => {
  expect(numbers('drawn')).toEqual(sequence(0, 90, (n) => Math.min(n, 59) * 2))
})

const expectColour = (colour: readonly number[], expected: readonly number[]) => {
  for (const [channel, value] of expected.entries())
    expect(Math.abs((colour[channel] ?? 0) - value), `${colour} for ${expected}`).toBeLessThanOrEqual(3)
}

test.each(['held', 'mediaStart', 'prores', 'vfr', 'cover'] as const)(
  '%s keeps the colour that its author chose',
  (cell) => {
    const second = { held: 3, mediaStart: 3, prores: 1, vfr: 1, cover: 1 }[cell]
    expectColour(inCell(frames[45] ?? new Uint8Array(), cell, 70, 80), COLOURS[second] ?? [])
  },
)

test('a transparent source shows what is behind it', () => {
  const frame = frames[10] ?? new Uint8Array()
  expectColour(inCell(frame, 'alpha', 40, 80), COLOURS[0])
  expectColour(inCell(frame, 'alpha', 120, 80), [16, 32, 48])
})

test('object-fit cover crops the source', () => {
  // 90 px of 160 are left: what stands at 20 px in the source is cut off, the block at 45 px stands at 10.
  const frame = frames[8] ?? new Uint8Array()
  expect((inCell(frame, 'cover', Math.round((BLOCKS.left + 3 * BLOCKS.step + 8) / 2) - 27, 12)[1] ?? 0) > 128).toBe(
    false,
  )
  expect(inCell(frame, 'cover', 85, 80)).not.toEqual([255, 255, 255])
})

test('a missing source is named in a warning, and the others play', () => {
  expect(warned).toMatch(/VID_MEDIA_UNUSABLE.*sources\/missing\.mp4/)
  expectColour(inCell(frames[20] ?? new Uint8Array(), 'missing', 80, 80), [0, 255, 0])
})

test('3 workers with segments of 30 on lane auto make the same file', async () => {
  const { output } = await render('3-30', { segment: 30 }, { workers: 3 })
  expect(await frameHashes(output)).toEqual(hashes)
})

/** Half of the video, in which every source has begun and three have ended. */
const PART = { from: 30, to: 75 }

test.each(
  partOf(
    [
      { segment: 15, lane: 'begin-frame' },
      { segment: 17, lane: 'screenshot' },
    ],
    1,
  ),
)('2 workers with segments of $segment on lane $lane make the same pictures', async ({ segment, lane }) => {
  await configure({ segment, lane })
  const output = join(work, `${lane}.mp4`)
  const range = ['--from', `${PART.from / FPS}s`, '--to', `${PART.to / FPS}s`]
  // Each worker of the command has a browser to itself.
  const run = await vidInProcess(['render', project, '-o', output, '-w', '2', ...range])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const other = await decoded(output)
  expect(other).toHaveLength(PART.to - PART.from)
  for (const cell of Object.keys(CELLS) as Cell[])
    if (cell !== 'missing')
      expect(
        other.map((frame) => numberIn(frame, cell)),
        cell,
      ).toEqual(numbers(cell, PART.from, PART.to))
})

test('strict makes a missing source an error, also one that only a script names', async () => {
  await configure({})
  const run = await vidInProcess(['render', project, '-o', join(work, 'strict.mp4'), '--strict'])
  expect(run.code).toBe(1)
  expect(run.stderr).toMatch(/_STRICT.*sources\/missing\.mp4/)

  const folder = join(work, 'scripted')
  await mkdir(folder, { recursive: true })
  const root = '<div data-composition-id="m" data-width="64" data-height="36" data-duration="1"></div>'
  const script = `<script>
    const video = Object.assign(document.createElement('video'), { src: 'gone.mp4', muted: true })
    video.dataset.start = '0'
    document.querySelector('div').append(video)
  </script>`
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><html><head><title>Scripted</title></head><body>${root}${script}</body></html>`,
  )
  const scripted = await vidInProcess(['render', folder, '-o', join(work, 'scripted.mp4'), '--strict'])
  expect(scripted.code).toBe(1)
  expect(scripted.stderr).toMatch(/VID_MEDIA_STRICT.*gone\.mp4/)
})
