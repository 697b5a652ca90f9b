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

/** Relative luminance, as WCAG defines it. */
export const luminanceOf = (red: number, green: number, blue: number): number =>
  0.2126 * (LINEAR[red] ?? 0) + 0.7152 * (LINEAR[green] ?? 0) + 0.0722 * (LINEAR[blue] ?? 0)

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
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * GRID.rows) / height) * GRID.columns
    for (let x = 0; x < width; x++) {
      const offset = (y * width + x) * 4
      const cell = row + Math.floor((x * GRID.columns) / width)
      const one = pixels[offset] ?? 0
      const two = pixels[offset + 1] ?? 0
      const three = pixels[offset + 2] ?? 0
      luminance[cell] = (luminance[cell] ?? 0) + luminanceOf(one, two, three)
      const sum = (LINEAR[one] ?? 0) + (LINEAR[two] ?? 0) + (LINEAR[three] ?? 0)
      if (sum > 0 && (LINEAR[one] ?? 0) / sum >= SATURATED) red[cell] = (red[cell] ?? 0) + (LINEAR[one] ?? 0)
      counts[cell] = (counts[cell] ?? 0) + 1
    }
  }
  const mean = (values: Float64Array) => Array.from(values, (value, cell) => value / Math.max(1, counts[cell] ?? 1))
  return { frame, flat: flatColor(pixels), luminance: mean(luminance), red: mean(red) }
}
