import type { CompositionBox } from '@vid/kernel'
import type { MeasuredText } from '../page-report.ts'
import { hex, LINEAR, luminanceOf } from './picture-grid.ts'

/** A decoded picture, four bytes a pixel. */
export interface PixelPicture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** How a text stands out in one picture. */
export interface TextContrast {
  readonly ratio: number
  readonly color: string
  readonly background: string
  /** Part of its cells in which any pixel belongs to a character. */
  readonly seen: number
  readonly box: CompositionBox
}

/** Sum of the differences of channels above which a pixel belongs to a character. */
const GLYPH = 24

/** The same for a text of which no pixel differs by that much, and whose styles do not say how it is drawn. */
const FAINT_GLYPH = 6

/** Pixels of characters that a cell has at least. */
const MIN_PIXELS = 3

type Color = readonly [red: number, green: number, blue: number]

/** The ratio of two relative luminances, by WCAG 2.2. */
export const contrastRatio = (one: number, other: number): number =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)

/** What one cell of a text shows: the mean light behind its characters, or of all where it has none, and its strongest pixel. */
interface Cell {
  readonly pixels: number
  readonly behind: Color
  readonly strongest: Color
  readonly box: CompositionBox
}

const byte = (linear: number): number => {
  const part = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.round(part * 255)
}

/** Reads a cell of both pictures; positions are pixels. */
const readCell = (
  shown: PixelPicture,
  hidden: PixelPicture,
  { x, y, width, height }: CompositionBox,
  { scale, least }: { readonly scale: number; readonly least: number },
): Cell => {
  const left = Math.max(0, Math.floor(x * scale))
  const top = Math.max(0, Math.floor(y * scale))
  const right = Math.min(shown.width, Math.ceil((x + width) * scale))
  const bottom = Math.min(shown.height, Math.ceil((y + height) * scale))
  let pixels = 0
  let all = 0
  let most = 0
  const behind = [0, 0, 0]
  const around = [0, 0, 0]
  let strongest: Color = [0, 0, 0]
  for (let row = top; row < bottom; row++)
    for (let column = left; column < right; column++) {
      const offset = (row * shown.width + column) * 4
      let difference = 0
      for (let channel = 0; channel < 3; channel++)
        difference += Math.abs((shown.data[offset + channel] ?? 0) - (hidden.data[offset + channel] ?? 0))
      for (let channel = 0; channel < 3; channel++)
        around[channel] = (around[channel] ?? 0) + (LINEAR[hidden.data[offset + channel] ?? 0] ?? 0)
      all += 1
      if (difference < least) continue
      pixels += 1
      for (let channel = 0; channel < 3; channel++)
        behind[channel] = (behind[channel] ?? 0) + (LINEAR[hidden.data[offset + channel] ?? 0] ?? 0)
      if (difference <= most) continue
      most = difference
      strongest = [shown.data[offset] ?? 0, shown.data[offset + 1] ?? 0, shown.data[offset + 2] ?? 0]
    }
  const isInked = pixels >= MIN_PIXELS
  const [red = 0, green = 0, blue = 0] = (isInked ? behind : around).map((sum) =>
    byte(sum / Math.max(1, isInked ? pixels : all)),
  )
  return { pixels, behind: [red, green, blue], strongest, box: { x, y, width, height } }
}

/** The colour of a text over what is behind it. */
const over = ([red, green, blue, alpha]: NonNullable<MeasuredText['color']>, behind: Color): Color => [
  alpha * red + (1 - alpha) * behind[0],
  alpha * green + (1 - alpha) * behind[1],
  alpha * blue + (1 - alpha) * behind[2],
]

const round = (color: Color) => color.map((value) => Math.round(value)) as unknown as Color

/** Cells as wide as a character or two, in the part of the lines that is visible. */
const cellsOf = ({ lines, visible, fontSize }: MeasuredText): CompositionBox[] =>
  lines.flatMap((line) => {
    const y = Math.max(line.y, visible.y)
    const height = Math.min(line.y + line.height, visible.y + visible.height) - y
    const start = Math.max(line.x, visible.x)
    const width = Math.min(line.x + line.width, visible.x + visible.width) - start
    if (height <= 1 || width <= 1) return []
    const count = Math.max(1, Math.min(200, Math.round(width / Math.max(4, fontSize * 0.8))))
    return Array.from({ length: count }, (_, index) => ({
      x: start + (index * width) / count,
      y,
      width: width / count,
      height,
    }))
  })

/** Colours of pixels say it where styles cannot; of thin characters, no pixel has the whole colour. */
const colorIn = (text: MeasuredText, { behind, strongest }: Cell): Color =>
  text.color ? round(over(text.color, behind)) : strongest

/** Measures a text by pictures of the same frame with and without its characters; undefined where it has no place. */
export const measureContrast = (
  text: MeasuredText,
  shown: PixelPicture,
  hidden: PixelPicture,
  scale: number,
): TextContrast | undefined => {
  const read = (least: number) => cellsOf(text).map((box) => readCell(shown, hidden, box, { scale, least }))
  const isInked = ({ pixels }: Cell) => pixels >= MIN_PIXELS
  const plain = read(GLYPH)
  const cells = text.color || plain.some(isInked) ? plain : read(FAINT_GLYPH)
  if (cells.length === 0) return undefined
  const inked = cells.filter(isInked)
  const seen = inked.length / cells.length
  // Of what changes no pixel, styles say whether it has the colour of its surface, or lies below something.
  if (inked.length === 0 && !text.color) return undefined
  const ratios = (inked.length > 0 ? inked : cells).map((cell) => {
    const color = colorIn(text, cell)
    return { ratio: contrastRatio(luminanceOf(...color), luminanceOf(...cell.behind)), color, cell }
  })
  const worst = ratios.reduce((one, other) => (other.ratio < one.ratio ? other : one))
  return {
    ratio: worst.ratio,
    color: hex(...worst.color),
    background: hex(...worst.cell.behind),
    seen,
    box: text.visible,
  }
}
