import { tmpdir } from 'node:os'
import { createRenderer, type Renderer } from '@vid/render'
import { encodePng } from '@vid/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeProject } from '../fixtures/projects.ts'
import { readFacts } from './read-facts.ts'

let renderer: Renderer
beforeAll(async () => {
  renderer = await createRenderer({ cwd: tmpdir() })
})
afterAll(() => renderer.close())

/** Random numbers that are the same in each run. */
const createRandom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

type Color = readonly [number, number, number]

const linear = (value: number) => {
  const part = value / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
const luminance = ([red, green, blue]: Color) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
const ratio = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
const css = (color: Color) => `rgb(${color.join(' ')})`

/** A place of 240 x 100 pixels with a text. */
interface Pair {
  readonly text: Color
  readonly style: string
  readonly file?: readonly [name: string, bytes: Uint8Array]
  /** Mean luminance of the background from one part of its width to another. */
  readonly light: (from: number, to: number) => number
}

const WIDTH = 240
const HEIGHT = 100
const SIZE = 48

/** Width of a cell in which contrast is measured, in heights of the font. */
const CELL = 0.8

const makePairs = (kind: 'flat' | 'gradient' | 'image', count: number, random: () => number): Pair[] => {
  const color = (): Color => [Math.floor(random() * 256), Math.floor(random() * 256), Math.floor(random() * 256)]
  return Array.from({ length: count }, (_, index): Pair => {
    const text = color()
    const one = color()
    if (kind === 'flat') return { text, style: `background: ${css(one)}`, light: () => luminance(one) }
    const other = color()
    const at = (part: number): Color =>
      [0, 1, 2].map((channel) => {
        const from = one[channel as 0 | 1 | 2]
        return from + (other[channel as 0 | 1 | 2] - from) * part
      }) as unknown as Color
    const light = (from: number, to: number) =>
      Array.from({ length: 32 }, (_, step) => luminance(at(from + ((step + 0.5) / 32) * (to - from)))).reduce(
        (sum, value) => sum + value / 32,
        0,
      )
    if (kind === 'gradient')
      return { text, style: `background: linear-gradient(90deg, ${css(one)}, ${css(other)})`, light }
    const name = `photo-${index}.png`
    const pixels = Buffer.alloc(WIDTH * HEIGHT * 4, 255)
    for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
      const grain = (random() - 0.5) * 8
      const shown = at(((pixel % WIDTH) + 0.5) / WIDTH)
      for (const channel of [0, 1, 2] as const)
        pixels[pixel * 4 + channel] = Math.min(255, Math.max(0, Math.round(shown[channel] + grain)))
    }
    const bytes = encodePng({ width: WIDTH, height: HEIGHT, data: pixels })
    return { text, style: `background: url(${name})`, file: [name, bytes], light }
  })
}

/** The least ratio of a text to what is behind about a character of it. */
const referenceOf = ({ text, light }: Pair, { x, width }: { readonly x: number; readonly width: number }): number => {
  const count = Math.max(1, Math.round(width / (SIZE * CELL)))
  const ratios = Array.from({ length: count }, (_, cell) =>
    ratio(luminance(text), light((x + (cell * width) / count) / WIDTH, (x + ((cell + 1) * width) / count) / WIDTH)),
  )
  return Math.min(...ratios)
}

const pageOf = (pairs: readonly Pair[]) => `<!doctype html><meta charset="utf-8"><style>
#root { background: #888; font: 700 ${SIZE}px/100px Inter } #root p { position: absolute; margin: 0; width: ${WIDTH}px; height: 100px; overflow: hidden }
</style><div id="root" data-composition-id="pairs" data-width="1920" data-height="1080" data-duration="0.1" data-no-timeline>
${pairs.map(({ text, style }, index) => `<p id="p${index}" style="left: ${(index % 8) * WIDTH}px; top: ${Math.floor(index / 8) * 104}px; color: ${css(text)}; ${style}">HMHMHM</p>`).join('\n')}</div>`

test.each([
  ['flat', 80],
  ['gradient', 60],
  ['image', 12],
] as const)(
  'contrast over %s backgrounds is that of a reference, in %d random pairs',
  async (kind, count) => {
    const pairs = makePairs(kind, count, createRandom(count))
    const files = Object.fromEntries(pairs.flatMap(({ file }) => (file ? [file] : [])))
    const projectDir = await makeProject({ 'index.html': pageOf(pairs), ...files })
    const { facts } = await readFacts(renderer, { projectDir }, { signal: new AbortController().signal })
    const errors = pairs.map((pair, index) => {
      const element = facts.elements.findIndex(({ selector }) => selector === `#p${index}`)
      const contrast = facts.contrasts.find((each) => each.element === element)
      const line = facts.texts.find((each) => each.element === element)?.lines[0]
      if (!contrast || !line) return Number.POSITIVE_INFINITY
      return Math.abs(contrast.ratio / referenceOf(pair, { x: line.x - (index % 8) * WIDTH, width: line.width }) - 1)
    })
    expect(errors).toHaveLength(count)
    expect(Math.max(...errors)).toBeLessThan(0.03)
  },
  180_000,
)
