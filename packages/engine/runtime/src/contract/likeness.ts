import type { Likeness } from './raster.ts'

/** The layout of raw pixels: rgba, or planar yuv420p, which a plane of alpha may follow. */
export interface PictureShape {
  readonly width: number
  readonly height: number
  readonly planar: boolean
  /**
   * Whether edges may be antialiased differently: a value between its neighbours in the other picture is no difference.
   */
  readonly smoothed?: boolean
}

/** Side of a block in pixels. */
const BLOCK = 16

/** One plane of a picture, whose values for one colour are `step` bytes apart. */
interface Samples {
  readonly from: number
  readonly columns: number
  readonly rows: number
  readonly step: number
}

/** How far a value is from what lies between the lowest and the highest around its place in another picture. */
const outside = (value: number, other: Uint8Array, { from, columns, rows, step }: Samples, x: number, y: number) => {
  let low = 255
  let high = 0
  for (let row = Math.max(y - 1, 0); row <= Math.min(y + 1, rows - 1); row++)
    for (let column = x - step; column <= x + step; column += step) {
      if (column < 0 || column >= columns) continue
      const neighbour = other[from + row * columns + column] as number
      low = Math.min(low, neighbour)
      high = Math.max(high, neighbour)
    }
  return Math.max(low - value, value - high, 0)
}

/** Compares two pictures of the same shape. */
export const comparePictures = (
  one: Uint8Array,
  other: Uint8Array,
  { width, height, planar, smoothed = false }: PictureShape,
): Likeness => {
  const luma = { from: 0, columns: width, rows: height, across: BLOCK, down: BLOCK }
  const half = { columns: width / 2, rows: height / 2, across: BLOCK / 2, down: BLOCK / 2 }
  const size = width * height
  const planes = planar
    ? [
        luma,
        { ...half, from: size },
        { ...half, from: size * 1.25 },
        ...(one.length > size * 1.5 ? [{ ...luma, from: size * 1.5 }] : []),
      ]
    : [{ ...luma, columns: width * 4, across: BLOCK * 4 }]
  let squares = 0
  let worstBlock = 0
  for (const { from, columns, rows, across, down } of planes) {
    const samples = { from, columns, rows, step: planar ? 1 : 4 }
    for (let top = 0; top < rows; top += down) {
      const sums = new Float64Array(Math.ceil(columns / across))
      const bottom = Math.min(top + down, rows)
      for (let y = top; y < bottom; y++)
        for (let offset = from + y * columns, x = 0; x < columns; x++, offset++) {
          const difference = (one[offset] as number) - (other[offset] as number)
          if (difference === 0) continue
          const least = smoothed
            ? Math.min(
                outside(one[offset] as number, other, samples, x, y),
                outside(other[offset] as number, one, samples, x, y),
              )
            : difference
          squares += least * least
          const index = (x / across) | 0
          sums[index] = (sums[index] as number) + Math.abs(difference)
        }
      for (let index = 0; index < sums.length; index++) {
        const area = (bottom - top) * Math.min(across, columns - index * across)
        worstBlock = Math.max(worstBlock, (sums[index] as number) / area)
      }
    }
  }
  return { psnr: squares === 0 ? null : 10 * Math.log10((255 * 255 * one.length) / squares), worstBlock }
}

const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): BigUint64Array | Uint8Array =>
  length % 8 === 0 ? new BigUint64Array(buffer, byteOffset, length / 8) : new Uint8Array(buffer, byteOffset, length)

/** Whether two pictures of the same shape, each at a multiple of 8 bytes, have equal pixels. */
export const areEqual = (one: Uint8Array, other: Uint8Array): boolean => {
  const ones = wordsOf(one)
  const others = wordsOf(other)
  for (let index = 0; index < ones.length; index++) if (ones[index] !== others[index]) return false
  return true
}
