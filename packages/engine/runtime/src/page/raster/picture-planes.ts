import { createBands, type RowBand, type RowLayout } from '../../contract/picture-rows.ts'
import type { PixelModule } from '../../contract/pixel-module.ts'

/** The rows that two pixels of a chroma share; also the rows that are compared at once. */
const PAIR = 2

/** Bytes that the module converts at once. */
const STEP = 16

const roundUp = (bytes: number): number => Math.ceil(bytes / STEP) * STEP

/** Raw pixels of a canvas, converted row by row in the memory of the module. */
export interface PicturePlanes {
  /** Memory for the next canvas: bgra pixels, or those that need no conversion. It holds those of an earlier one. */
  source(): Uint8Array<ArrayBuffer>
  /** Converts the rows of the source that differ from the source before; the pixels are valid until the next call. */
  update(): { readonly pixels: Uint8Array; readonly changed: readonly RowBand[] }
  /** Converts the whole source, which then does not count as one before; valid until the next such call. */
  convert(): Uint8Array
}

/** Prepares the conversion; `straight` sources are not premultiplied, and rgba if the result is. */
export const createPicturePlanes = (
  module: PixelModule,
  { width, height, planar, alpha }: RowLayout,
  straight: boolean,
): PicturePlanes => {
  const { memory, convert, straighten, alphas, differ } = module
  const count = width * height
  const row = width * 4
  const size = planar ? count * (alpha ? 2.5 : 1.5) : count * 4
  const sourceBytes = roundUp(count * 4)
  // The last step of the last row may end after it.
  const pictureBytes = roundUp(size) + STEP
  const picture = 2 * sourceBytes
  const spare = picture + pictureBytes
  const scratch = spare + pictureBytes
  memory.grow(Math.ceil((scratch + roundUp(PAIR * row)) / 65536))
  const bytes = () => new Uint8Array(memory.buffer)
  let source = 0
  let isFirst = true

  const convertRows = (from: number, to: number, first: number, rows: number) => {
    const pixels = from + first * row
    const size = rows * row
    if (!planar) {
      if (straight) bytes().copyWithin(to + first * row, pixels, pixels + size)
      // The bytes after the last row may be those of the next one, which gets the pixels that it has.
      else straighten(pixels, to + first * row, roundUp(size), 1)
      return
    }
    const isMultiplied = alpha && !straight
    if (isMultiplied) straighten(pixels, scratch, roundUp(size), 0)
    const bgra = isMultiplied ? scratch : pixels
    const chroma = (first / PAIR) * (width / PAIR)
    if (alpha) alphas(bgra, to + count * 1.5 + first * width, rows * width)
    convert(bgra, to + first * width, to + count + chroma, to + count * 1.25 + chroma, width, rows)
  }
  const rowsAt = (first: number) => Math.min(PAIR, height - first)

  return {
    source: () => new Uint8Array(memory.buffer, source, count * 4),
    update() {
      const before = sourceBytes - source
      const { bands, add } = createBands()
      for (let first = 0; first < height; first += PAIR) {
        const rows = rowsAt(first)
        const offset = first * row
        if (!isFirst && !differ(source + offset, before + offset, rows * row)) continue
        convertRows(source, picture, first, rows)
        add({ first, end: first + rows })
      }
      isFirst = false
      source = before
      return { pixels: new Uint8Array(memory.buffer, picture, size), changed: bands }
    },
    convert() {
      for (let first = 0; first < height; first += PAIR) convertRows(source, spare, first, rowsAt(first))
      return new Uint8Array(memory.buffer, spare, size)
    },
  }
}
