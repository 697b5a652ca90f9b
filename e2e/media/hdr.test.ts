import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeFrames, findFfmpeg, findHardware, probeMedia, readMastering } from '@vid/ffmpeg'
import type { RenderSettings } from '@vid/render'
import { describe, expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { COLUMNS, type Curve, columnX, luminanceAt, MASTERING, WIDTH, writeSource } from '../support/luminance.ts'
import { rendersOfFile } from '../support/renders.ts'
import { here, scratch } from '../support/vid.ts'

const makeSource = async (curve: Curve) => {
  const file = join(await scratch(), 'source.mp4')
  await writeSource(file, curve)
  return readFile(file)
}

/** Sources by curve, each made once. */
const sources = new Map<Curve, Promise<Uint8Array>>()

/** A copy of the project, with a source. */
const project = async (curve: Curve = 'pq') => {
  const folder = join(await scratch(), 'hdr')
  await cp(here('projects/hdr'), folder, { recursive: true })
  const source = sources.get(curve) ?? makeSource(curve)
  sources.set(curve, source)
  await writeFile(join(folder, 'source.mp4'), await source)
  return folder
}

const renderFile = rendersOfFile()

const render = async (folder: string, output: string, settings: RenderSettings = {}) => {
  const file = join(folder, output)
  const rendering = { projectDir: folder, output: file, cache: false, quality: 'draft', crf: 8, ...settings } as const
  return { file, warned: (await renderFile(rendering)).warned }
}

const MAIN10 = {
  codec: 'hevc',
  codecTag: 'hvc1',
  profile: 'Main 10',
  pixFmt: 'yuv420p10le',
  range: 'tv',
  matrix: 'bt2020nc',
  primaries: 'bt2020',
}
const BT709 = { range: 'tv', matrix: 'bt709', transfer: 'bt709', primaries: 'bt709' }

const streamOf = async (file: string) => (await probeMedia(file, { countFrames: true })).video[0]
const masteringOf = async (file: string) => readMastering(file, 0, await findFfmpeg())

/** Red, green and blue of the source's columns in an SDR video. */
const columnsOf = async (file: string) => {
  const frames: Uint8Array[] = []
  for await (const frame of decodeFrames(file, { pixFmt: 'rgb24' })) frames.push(frame)
  return COLUMNS.map((_, column) => {
    const offset = (60 * WIDTH + columnX(column)) * 3
    return [...(frames[1]?.subarray(offset, offset + 3) ?? [])]
  })
}

describe.each(
  partOf(
    [
      ['pq', 'smpte2084'],
      ['hlg', 'arib-std-b67'],
    ] as const,
    1,
  ),
)('a page with a %s video', (curve, transfer) => {
  test('becomes HDR by itself, as bright as its source, under a title at paper white', async () => {
    const folder = await project(curve)
    const { file, warned } = await render(folder, 'out.mp4', { workers: 1 })
    expect(warned).not.toContain('warning VID_')
    expect(await streamOf(file)).toMatchObject({ ...MAIN10, transfer, frames: 12, width: 320, height: 180 })
    if (curve === 'pq')
      expect(await masteringOf(file)).toMatchObject({ mastering: MASTERING, maxCll: 1000, maxFall: 300 })
    else expect(await masteringOf(file)).toMatchObject({ displayPeak: 1000, maxCll: 1000 })

    const points = COLUMNS.map((_, column) => [columnX(column), 60] as const)
    const shown = await luminanceAt(file, curve, [...points, [300, 175]])
    for (const [column, nits] of [...COLUMNS, 203].entries()) {
      const { nits: measured = 0, cb = 0, cr = 0 } = shown[column] ?? {}
      expect(Math.abs(measured / nits - 1), `${measured} cd/m² for ${nits}`).toBeLessThan(0.03)
      expect(Math.max(Math.abs(cb - 512), Math.abs(cr - 512))).toBeLessThanOrEqual(2)
    }
    const again = await render(folder, 'again.mp4', { workers: 2 })
    expect((await readFile(again.file)).equals(await readFile(file))).toBe(true)
  })

  test('is tone-mapped with --sdr', async () => {
    const { file, warned } = await render(await project(curve), 'out.mp4', { sdr: true })
    expect(warned).not.toContain('warning VID_')
    expect(await streamOf(file)).toMatchObject({ codec: 'h264', pixFmt: 'yuv420p', ...BT709 })
    // 100 cd/m² of 203 is 186 in sRGB; BT.2390 leaves it, takes 203 to 161, and 1000 to white.
    const expected = [187, 230, 252, 255]
    for (const [column, colour] of (await columnsOf(file)).entries())
      for (const value of colour) expect(Math.abs(value - (expected[column] ?? 0))).toBeLessThanOrEqual(4)
  })
})

test('another format is tone-mapped, with a warning that names the source and the format', async () => {
  const folder = await project()
  const { file, warned } = await render(folder, 'out.webm', { format: 'webm' })
  expect(warned).toContain('warning VID_HDR_TO_SDR: "source.mp4" is HDR, but the webm is SDR')
  const columns = await columnsOf(file)
  expect(Math.abs((columns[0]?.[0] ?? 0) - 187)).toBeLessThanOrEqual(5)
  expect(Math.abs((columns[1]?.[0] ?? 0) - 230)).toBeLessThanOrEqual(5)
  const run = await render(folder, 'asked.webm', { format: 'webm', sdr: true })
  expect(run.warned).not.toContain('VID_HDR_TO_SDR')
})

test('graphics alone are HDR with --hdr, their white at 203 cd/m²', async () => {
  const { file } = await render(await project(), 'out.mp4', { entry: 'graphics.html', hdr: true })
  expect(await streamOf(file)).toMatchObject({ ...MAIN10, transfer: 'smpte2084', frames: 3 })
  expect(await masteringOf(file)).toMatchObject({ displayPeak: 1000, maxCll: 203, maxFall: 203 })
  const [white, grey, red, black] = await luminanceAt(
    file,
    'pq',
    [0, 1, 2, 3].map((column) => [columnX(column), 90] as const),
  )
  expect(Math.abs((white?.nits ?? 0) - 203)).toBeLessThan(3)
  // 128 of 255 is 0.216 of white.
  expect(Math.abs((grey?.nits ?? 0) - 43.8)).toBeLessThan(1.5)
  expect(black?.nits).toBeLessThan(0.01)
  expect(red?.cr).toBeGreaterThan(600)
})

test('videos with rounded corners, rotation, opacity or an overlay keep their brightness', async () => {
  const { file, warned } = await render(await project(), 'out.mp4', { entry: 'shapes.html' })
  const [turned, corner, faint, veiled] = await luminanceAt(file, 'pq', [
    [80, 75],
    [13, 33],
    [205, 60],
    [240, 90],
  ])
  expect(turned?.nits).toBeGreaterThan(550)
  expect(corner?.nits).toBeLessThan(1)
  // Half of the sRGB signal that goes on above white, as a browser mixes: 600 cd/m² is 1.62 of white.
  const half = (signal: number) => 203 * ((signal / 2 + 0.055) / 1.055) ** 2.4
  expect(Math.abs((faint?.nits ?? 0) / half(1.621) - 1)).toBeLessThan(0.06)
  expect(veiled?.nits).toBeLessThan((faint?.nits ?? 0) / 2)
  expect(warned).not.toContain('VID_HDR_UNFIT')
})

test.each(
  partOf(
    [
      ['video', '{ filter: contrast(1.2) }', '', 'it has a filter'],
      ['body', '{ mix-blend-mode: screen }', '', 'it has the blend mode screen'],
      [
        ...(['canvas', '{ width: 50px }'] as const),
        "<canvas></canvas><script>addEventListener('vid-seek', () => document.querySelector('canvas').getContext('2d').drawImage(document.querySelector('video'), 0, 0))</script>",
        'a script draws it',
      ],
    ],
    2,
  ),
)('what a %s with %s does to an HDR video is warned of', async (selector, style, more, reason) => {
  const folder = await project()
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const changed = page
    .replace('</style>', `${selector} ${style}</style>`)
    .replace('<div id="title">Title</div>', more)
    .replaceAll('0.4', '0.1')
  await writeFile(join(folder, 'changed.html'), changed)
  const { warned } = await render(folder, 'out.mp4', { entry: 'changed.html' })
  expect(warned.match(/VID_HDR_UNFIT: .*/g)).toEqual([
    `VID_HDR_UNFIT: The HDR video source.mp4 may be shown with wrong brightness: ${reason}.`,
  ])
})

test('--gpu encodes in hardware, or names what was tried and gives the bytes of the CPU', async () => {
  const folder = await project()
  const hardware = await findHardware(await findFfmpeg(), new AbortController().signal)
  const plain = await render(folder, 'plain.mp4', { entry: 'graphics.html' })
  const { file, warned } = await render(folder, 'gpu.mp4', { entry: 'graphics.html', gpu: true })
  expect(await streamOf(file)).toMatchObject({ codec: 'h264', ...BT709, frames: 3 })
  if (hardware.encoder !== undefined) return expect(warned).not.toContain('VID_GPU_UNAVAILABLE')
  for (const { name } of hardware.tried) expect(warned).toContain(name)
  expect(warned).toContain('warning VID_GPU_UNAVAILABLE')
  expect((await readFile(file)).equals(await readFile(plain.file))).toBe(true)
})
