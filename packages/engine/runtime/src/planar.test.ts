import { expect, test } from 'vitest'
import { createPlanar, isPlanarSize } from './index.ts'
import { straighten } from './planar.ts'

/** Pixels that follow from a number alone, some black, white and pure. */
const pixelsOf = (width: number, height: number): Uint8Array => {
  let state = 7
  const data = new Uint8Array(width * height * 4)
  for (let offset = 0; offset < data.length; offset++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    data[offset] = offset % 4 === 3 ? 255 : offset % 64 < 24 ? (state >>> 31) * 255 : state >>> 24
  }
  return data
}

/** The same in plain arithmetic, from the definition in bt709. */
const reference = (rgba: Uint8Array, width: number, height: number): number[] => {
  const pixelAt = (x: number, y: number) => Array.from(rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 3))
  const luma = ([r = 0, g = 0, b = 0]: number[]) => 0.2126 * r + 0.7152 * g + 0.0722 * b
  const planes: number[][] = [[], [], []]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      planes[0]?.push(16 + (219 / 255) * luma(pixelAt(x, y)))
      if (x % 2 || y % 2) continue
      const four = [pixelAt(x, y), pixelAt(x + 1, y), pixelAt(x, y + 1), pixelAt(x + 1, y + 1)]
      const mean = [0, 1, 2].map((k) => four.reduce((sum, pixel) => sum + (pixel[k] ?? 0), 0) / 4)
      planes[1]?.push(128 + ((224 / 255) * ((mean[2] ?? 0) - luma(mean))) / 1.8556)
      planes[2]?.push(128 + ((224 / 255) * ((mean[0] ?? 0) - luma(mean))) / 1.5748)
    }
  return planes.flat()
}

test.each([
  [64, 36],
  [18, 4],
  [854, 6],
  [16, 2],
])('%i x %i pixels become bt709 of limited range, rounded to the nearest', async (width, height) => {
  const rgba = pixelsOf(width, height)
  const planar = (await createPlanar(width, height))(rgba)
  const expected = reference(rgba, width, height)
  expect(planar).toHaveLength(expected.length)
  let worst = 0
  for (const [index, value] of expected.entries()) worst = Math.max(worst, Math.abs(value - (planar[index] ?? 0)))
  // Half a step is the rounding; the rest is what integers of 15 bits leave out.
  expect(worst).toBeLessThan(0.51)
})

test('with alpha, its plane follows the same planes of colour', async () => {
  const width = 18
  const height = 6
  const rgba = pixelsOf(width, height)
  for (let offset = 3; offset < rgba.length; offset += 4) rgba[offset] = (offset * 7) & 255
  const opaque = (await createPlanar(width, height))(rgba)
  const planar = (await createPlanar(width, height, { alpha: true }))(rgba)
  expect(planar.subarray(0, opaque.length)).toEqual(opaque)
  expect([...planar.subarray(opaque.length)]).toEqual([...rgba].filter((_, index) => index % 4 === 3))
})

test('premultiplied pixels become straight, to the nearest, for every colour and alpha', async () => {
  const pairs = Array.from({ length: 65_536 }, (_, index) => [index & 255, index >> 8] as const).filter(
    ([colour, alpha]) => colour <= alpha,
  )
  // An odd number of pixels, so that the last step is no whole one.
  expect(pairs.length % 4).toBe(0)
  const bgra = Uint8Array.from([...pairs, [3, 7] as const].flatMap(([c, a]) => [c, a >> 1, 0, a]))
  const rgba = await straighten(bgra)
  expect(rgba).toHaveLength(bgra.length)
  let worst = 0
  for (const [index, [colour, alpha]] of pairs.entries()) {
    const [red, green, blue, actualAlpha] = rgba.subarray(index * 4, index * 4 + 4)
    expect([red, actualAlpha]).toEqual([0, alpha])
    if (alpha === 0) expect([green, blue]).toEqual([0, 0])
    else
      for (const [value, from] of [[blue, colour] as const, [green, alpha >> 1] as const])
        worst = Math.max(worst, Math.abs((value ?? 0) - (from * 255) / alpha))
  }
  // Half a step is the rounding; the rest is what single floats leave out.
  expect(worst).toBeLessThan(0.5001)
  expect([...rgba.subarray(-4)]).toEqual([0, 109, 109, 7])
})

test('black, white and grey have no colour', async () => {
  const convert = await createPlanar(16, 2)
  for (const [grey, luma] of [
    [0, 16],
    [255, 235],
    [128, 126],
  ] as const)
    expect([...new Set(convert(new Uint8Array(128).fill(grey)))]).toEqual([luma, 128])
})

test('only pictures of whole pairs can be planar', () => {
  expect([isPlanarSize(1920, 1080), isPlanarSize(17, 2), isPlanarSize(16, 3), isPlanarSize(14, 2)]).toEqual([
    true,
    false,
    false,
    false,
  ])
})
