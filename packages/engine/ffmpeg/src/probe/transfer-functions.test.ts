import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { hdrPainter } from '../hdr/hdr-pixels.ts'
import { type SdrView, viewSignal, writeLut } from '../hdr/sdr-view.ts'
import { findFfmpeg } from '../tools/find.ts'
import { QUIET, startProcess } from '../tools/process.ts'
import { hlgToScene, nitsToPq, pqToNits, SDR_WHITE_NITS, sceneToHlg, toneMap } from './transfer-functions.ts'

const folder = await mkdtemp(join(tmpdir(), "vid-hdr's: [1],"))
afterAll(() => rm(folder, { recursive: true, force: true }))
const builds = [await findFfmpeg(), await findFfmpeg({ env: { ...process.env, PATH: '' } })] as const

test('the transfer functions match the values in their standards', () => {
  expect(nitsToPq(100)).toBeCloseTo(0.5081, 4)
  expect(nitsToPq(SDR_WHITE_NITS)).toBeCloseTo(0.5807, 4)
  expect(nitsToPq(1000)).toBeCloseTo(0.7518, 4)
  expect(sceneToHlg(1 / 12)).toBeCloseTo(0.5, 5)
  expect(1000 * hlgToScene(0.75) ** 1.2).toBeCloseTo(SDR_WHITE_NITS, 0)
  for (const signal of [0.01, 0.3, 0.5, 0.9, 1]) {
    expect(nitsToPq(pqToNits(signal))).toBeCloseTo(signal, 6)
    expect(sceneToHlg(hlgToScene(signal))).toBeCloseTo(signal, 6)
  }
})

test('tone mapping keeps dark tones and the order of luminances, and ends at white', () => {
  expect(toneMap(50, 1000)).toBe(50)
  expect(toneMap(100, 1000)).toBeGreaterThan(95)
  const steps = Array.from({ length: 100 }, (_, index) => toneMap(index * 10, 1000))
  expect(steps.every((nits, index) => index === 0 || nits > (steps[index - 1] ?? 0))).toBe(true)
  expect(toneMap(1000, 1000)).toBeCloseTo(SDR_WHITE_NITS, 3)
  expect(toneMap(4000, 1000)).toBeCloseTo(SDR_WHITE_NITS, 3)
})

/** Applies a view to 16-bit pixels with ffmpeg. */
const applied = async (view: SdrView, pixels: readonly number[], { ffmpeg }: { ffmpeg: string }) => {
  const filter = await writeLut(view, join(folder, 'view.cube'))
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgb48le']
  const size = ['-video_size', `${pixels.length / 3}x1`]
  const child = startProcess(
    ffmpeg,
    [...QUIET, ...raw, ...size, '-i', 'pipe:0', '-vf', filter, ...raw, 'pipe:1'],
    undefined,
  )
  child.stdin.end(new Uint8Array(Uint16Array.from(pixels, (value) => Math.round(value * 65_535)).buffer))
  const [bytes] = await Promise.all([buffer(child.stdout), child.succeeded()])
  return Array.from(new Uint16Array(new Uint8Array(bytes).buffer), (value) => value / 65_535)
}

describe.each([
  { transfer: 'pq', range: 'sdr', peak: 1000 },
  { transfer: 'pq', range: 'hdr', peak: 1000 },
  { transfer: 'pq', range: 'hdr', peak: 4000 },
  { transfer: 'hlg', range: 'sdr', peak: 1000 },
  { transfer: 'hlg', range: 'hdr', peak: 1000 },
] satisfies SdrView[])('$transfer as $range up to $peak', (view) => {
  const colours = [0.05, 0.2, 0.35, 0.5, 0.58, 0.65, 0.7, 0.745, 0.75].flatMap((value) => [
    [value, value, value],
    [value, value * 0.8, value * 0.6],
  ]) as [number, number, number][]

  test('every ffmpeg applies its LUT with an error below 1/255', async () => {
    const [newer, older] = await Promise.all(builds.map((tools) => applied(view, colours.flat(), tools)))
    expect(newer).toHaveLength(colours.length * 3)
    expect(older).toEqual(newer)
    for (const [index, colour] of colours.entries())
      for (const [channel, value] of viewSignal(view, colour).entries())
        expect(Math.abs((newer?.[index * 3 + channel] ?? 9) - Math.min(1, value))).toBeLessThan(1 / 255)
  })
})

/** Nits of the luma of a painted pixel. */
const paintedNits = (page: number[], blank?: number[], peak = 1000) => {
  const pixels = (rgb: number[]) => Uint8Array.from([...rgb, 255, ...rgb, 255, ...rgb, 255, ...rgb, 255])
  const bytes = hdrPainter({ transfer: 'pq', peak }, { width: 2, height: 2 })(pixels(page), blank && pixels(blank))
  const [luma = 0, , , , cb, cr] = new Uint16Array(bytes.buffer)
  return { nits: pqToNits((luma - 64) / 876), cb, cr }
}

test('white graphics are neutral at 203 cd/m²', () => {
  const white = paintedNits([255, 255, 255])
  expect(white.nits).toBeGreaterThan(201)
  expect(white.nits).toBeLessThan(205)
  expect(white).toMatchObject({ cb: 512, cr: 512 })
  expect(paintedNits([0, 0, 0]).nits).toBe(0)
})

test('videos go beyond white, up to their peak', () => {
  for (const peak of [1000, 4000]) {
    const { nits } = paintedNits([255, 255, 255], [0, 0, 0], peak)
    expect(Math.abs(nits / peak - 1)).toBeLessThan(0.02)
  }
})

test.each(['pq', 'hlg'] as const)('a %s source keeps its luminance through the page', (transfer) => {
  for (const nits of [20, 100, 203, 500, 900]) {
    const signal = transfer === 'pq' ? nitsToPq(nits) : sceneToHlg((nits / 1000) ** (1 / 1.2))
    const [display] = viewSignal({ transfer, range: 'hdr', peak: 1000 }, [signal, signal, signal])
    const code = Math.round(display * 255)
    expect(Math.abs(paintedNits([code, code, code], [0, 0, 0]).nits / nits - 1)).toBeLessThan(0.03)
  }
})

test('a half transparent video adds half of its sRGB signal', () => {
  // Half a white of 203 cd/m² over black is what half of an sRGB white over black is.
  const [white] = viewSignal({ transfer: 'pq', range: 'hdr', peak: 1000 }, [
    nitsToPq(203),
    nitsToPq(203),
    nitsToPq(203),
  ])
  const half = Math.round((white * 255) / 2)
  const graphics = paintedNits([128, 128, 128]).nits
  expect(Math.abs(paintedNits([half, half, half], [0, 0, 0]).nits / graphics - 1)).toBeLessThan(0.04)
})
