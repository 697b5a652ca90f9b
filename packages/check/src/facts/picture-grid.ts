import type { FilmPicture } from '@vid/kernel'

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

/** What is kept of the small picture of a frame. */
export const gridOf = (
  frame: number,
  pixels: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
): FilmPicture => {
  const cells = GRID.columns * GRID.rows
  const luminance = new Float64Array(cells)
  const red = new Float64Array(cells)
  const counts = new Float64Array(cells)
  const columns = Uint8Array.from({ length: width }, (_, x) => Math.floor((x * GRID.columns) / width))
  let offset = 0
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * GRID.rows) / height) * GRID.columns
    for (let x = 0; x < width; x++, offset += 4) {
      const cell = row + (columns[x] as number)
      const one = pixels[offset] as number
      const two = pixels[offset + 1] as number
      const three = pixels[offset + 2] as number
      luminance[cell] = (luminance[cell] as number) + luminanceOf(one, two, three)
      counts[cell] = (counts[cell] as number) + 1
      // Only a pixel whose red is above both other channels can be saturated red.
      if (one <= two || one <= three) continue
      const light = LINEAR[one] as number
      if (light / (light + (LINEAR[two] as number) + (LINEAR[three] as number)) < SATURATED) continue
      red[cell] = (red[cell] as number) + light
    }
  }
  const mean = (values: Float64Array) => Array.from(values, (value, cell) => value / Math.max(1, counts[cell] ?? 1))
  return { frame, flat: flatColor(pixels), luminance: mean(luminance), red: mean(red) }
}
