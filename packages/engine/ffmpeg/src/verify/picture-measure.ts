/** Values of one pixel: red, green, blue and alpha. */
export const PIXEL_VALUES = 4

/** A picture that was made small, as RGBA. */
export interface SmallPicture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** Pixels of a small picture in each direction that are compared as one. */
const BLOCK = 5

/** The mean colours of blocks, one after the other. */
const blocksOf = ({ width, height, pixels }: SmallPicture): Float64Array => {
  const columns = Math.ceil(width / BLOCK)
  const rows = Math.ceil(height / BLOCK)
  const sums = new Float64Array(columns * rows * PIXEL_VALUES)
  const counts = new Float64Array(columns * rows)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const block = Math.floor(y / BLOCK) * columns + Math.floor(x / BLOCK)
      counts[block] = (counts[block] ?? 0) + 1
      for (let channel = 0; channel < PIXEL_VALUES; channel++) {
        const at = block * PIXEL_VALUES + channel
        sums[at] = (sums[at] ?? 0) + (pixels[(y * width + x) * PIXEL_VALUES + channel] ?? 0)
      }
    }
  return sums.map((sum, index) => sum / (counts[Math.floor(index / PIXEL_VALUES)] ?? 1))
}

/** How far two pictures of one size are apart, of 255: the mean over all blocks, and the largest of one. */
export interface Distance {
  readonly mean: number
  readonly largest: number
}

/** Measures how far two pictures of one size are apart. */
export const distanceOf = (one: SmallPicture, other: SmallPicture): Distance => {
  const others = blocksOf(other)
  const differences = blocksOf(one).map((value, index) => Math.abs(value - (others[index] ?? 0)))
  const sum = differences.reduce((total, difference) => total + difference, 0)
  return { mean: sum / Math.max(1, differences.length), largest: differences.reduce((a, b) => Math.max(a, b), 0) }
}

/** The largest difference of a pixel to the mean of its picture, of 255: nearly 0 for a picture of one colour. */
export const contrastOf = ({ pixels }: SmallPicture): number => {
  const means = new Float64Array(PIXEL_VALUES)
  for (const [index, value] of pixels.entries())
    means[index % PIXEL_VALUES] = (means[index % PIXEL_VALUES] ?? 0) + (value * PIXEL_VALUES) / pixels.length
  return pixels.reduce((most, value, index) => Math.max(most, Math.abs(value - (means[index % PIXEL_VALUES] ?? 0))), 0)
}
