import type { ChangedPicture } from '@vid/analysis'
import type { CompositionPicture } from '@vid/kernel'

/** Cells of a picture, beside and below each other. */
export const GRID = { columns: 24, rows: 24 } as const

/** Largest difference of a channel between pixels of a picture that has one colour. */
const FLAT = 6

/** Red by which WCAG calls a colour saturated. */
const SATURATED = 0.8

/** Linear light of a channel of 0 … 255. */
export const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const part = value / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
})

/** What a channel adds to relative luminance, as WCAG defines it. */
const RED_LIGHT = LINEAR.map((light) => 0.2126 * light)
const GREEN_LIGHT = LINEAR.map((light) => 0.7152 * light)
const BLUE_LIGHT = LINEAR.map((light) => 0.0722 * light)

/** Relative luminance. */
export const luminanceOf = (red: number, green: number, blue: number): number =>
  (RED_LIGHT[red] as number) + (GREEN_LIGHT[green] as number) + (BLUE_LIGHT[blue] as number)

export const hex = (...channels: readonly number[]): string =>
  `#${channels
    .map((value) =>
      Math.round(Math.min(255, Math.max(0, value)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

const flatColor = (pixels: Uint8Array): string | null => {
  const low = [255, 255, 255]
  const high = [0, 0, 0]
  for (let offset = 0; offset < pixels.length; offset += 4)
    for (let channel = 0; channel < 3; channel++) {
      const value = pixels[offset + channel] ?? 0
      if (value < (low[channel] ?? 0)) low[channel] = value
      if (value > (high[channel] ?? 0)) high[channel] = value
      if ((high[channel] ?? 0) - (low[channel] ?? 0) > FLAT) return null
    }
  return hex(...low.map((value, channel) => (value + (high[channel] ?? 0)) / 2))
}

/** Pixels of a cell: from left to before right, and from top to before bottom. */
interface Cell {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Mean light of a cell, and of what is saturated red in it. */
const meanOf = (
  pixels: Uint8Array,
  width: number,
  { left, right, top, bottom }: Cell,
): { readonly light: number; readonly red: number } => {
  let sum = 0
  let saturated = 0
  for (let y = top; y < bottom; y++)
    for (let x = left, offset = (y * width + left) * 4; x < right; x++, offset += 4) {
      const one = pixels[offset] as number
      const two = pixels[offset + 1] as number
      const three = pixels[offset + 2] as number
      sum += luminanceOf(one, two, three)
      // Only a pixel whose red is above both other channels can be saturated red.
      if (one <= two || one <= three) continue
      const light = LINEAR[one] as number
      if (light / (light + (LINEAR[two] as number) + (LINEAR[three] as number)) >= SATURATED) saturated += light
    }
  const count = Math.max(1, (right - left) * (bottom - top))
  return { light: sum / count, red: saturated / count }
}

/** First pixels of the columns or rows of a grid, and the pixel after the last. */
const edgesOf = (cells: number, pixels: number): readonly number[] =>
  Array.from({ length: cells + 1 }, (_, cell) => Math.ceil((cell * pixels) / cells))

/** Whether a cell of two pictures has other pixels in one than in the other. */
const isChanged = (
  words: Uint32Array,
  before: Uint32Array,
  width: number,
  { left, right, top, bottom }: Cell,
): boolean => {
  for (let y = top; y < bottom; y++)
    for (let place = y * width + left; place < y * width + right; place++)
      if (words[place] !== before[place]) return true
  return false
}

/** Reads the grids of the small pictures of a composition; each is usually like the one before in most cells. */
export const createGrids = ({ width, height }: { readonly width: number; readonly height: number }) => {
  const columns = edgesOf(GRID.columns, width)
  const rows = edgesOf(GRID.rows, height)
  const cells = rows.slice(0, -1).flatMap((top, row) =>
    columns.slice(0, -1).map(
      (left, column): Cell => ({
        left,
        right: columns[column + 1] ?? width,
        top,
        bottom: rows[row + 1] ?? height,
      }),
    ),
  )
  const luminance = new Float64Array(cells.length)
  const red = new Float64Array(cells.length)
  return ({ frame, pixels, words, before }: ChangedPicture): CompositionPicture => {
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index] as Cell
      if (before && !isChanged(words, before, width, cell)) continue
      const { light, red: saturated } = meanOf(pixels, width, cell)
      luminance[index] = light
      red[index] = saturated
    }
    return { frame, flat: flatColor(pixels), luminance: Array.from(luminance), red: Array.from(red) }
  }
}
