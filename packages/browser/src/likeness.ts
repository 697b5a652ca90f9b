/** How raw pictures are laid out. */
export interface PictureShape {
  readonly width: number
  readonly height: number
  readonly format: RawFormat
}

/** Formats of raw pixels that a page's element is captured as. */
export type RawFormat = 'rgba' | 'yuv420p'

/** How far two pictures of one frame are from each other. */
export interface Likeness {
  /** Peak signal-to-noise ratio in dB; Infinity when they are equal. */
  readonly psnr: number
  /** The largest mean difference of a block, in steps of a channel, 0 … 255: something small that is missing. */
  readonly worstBlock: number
}

/** Side of a block in pixels. */
const BLOCK = 16

/** Below this two pictures are not the same frame, dB. */
const LEAST_PSNR = 45

/** Antialiased edges drawn in two ways stay far below this; a missing or moved thing is above. */
const MOST_BLOCK = 40

/** A rectangle of bytes in a picture, and how many of them are across and down a block. */
interface Plane {
  readonly from: number
  readonly columns: number
  readonly rows: number
  readonly across: number
  readonly down: number
}

const planesOf = ({ width, height, format }: PictureShape): readonly Plane[] => {
  if (format === 'rgba') return [{ from: 0, columns: width * 4, rows: height, across: BLOCK * 4, down: BLOCK }]
  const luma = { from: 0, columns: width, rows: height, across: BLOCK, down: BLOCK }
  const half = { columns: width / 2, rows: height / 2, across: BLOCK / 2, down: BLOCK / 2 }
  const size = width * height
  return [luma, { ...half, from: size }, { ...half, from: size * 1.25 }]
}

/** Compares two pictures of the same shape; the alpha of rgba, which is opaque, counts for nothing. */
export const compare = (one: Uint8Array, other: Uint8Array, shape: PictureShape): Likeness => {
  if (Buffer.compare(one, other) === 0) return { psnr: Infinity, worstBlock: 0 }
  let squares = 0
  let worstBlock = 0
  // Opaque alpha makes a quarter of the bytes of rgba, and differs nowhere.
  const share = shape.format === 'rgba' ? 0.75 : 1
  for (const { from, columns, rows, across, down } of planesOf(shape))
    for (let top = 0; top < rows; top += down) {
      const sums = new Float64Array(Math.ceil(columns / across))
      const bottom = Math.min(top + down, rows)
      for (let y = top; y < bottom; y++)
        for (let at = from + y * columns, x = 0; x < columns; x++, at++) {
          const difference = (one[at] ?? 0) - (other[at] ?? 0)
          if (difference === 0) continue
          squares += difference * difference
          const block = (x / across) | 0
          sums[block] = (sums[block] ?? 0) + Math.abs(difference)
        }
      for (const [block, sum] of sums.entries()) {
        const area = (bottom - top) * Math.min(across, columns - block * across)
        worstBlock = Math.max(worstBlock, sum / (area * share))
      }
    }
  return { psnr: 10 * Math.log10((255 * 255 * one.length * share) / squares), worstBlock }
}

/** Why two pictures cannot be of one frame, in words; undefined when they can. */
export const findDifference = (
  one: Uint8Array,
  other: Uint8Array,
  shape: PictureShape,
): string | undefined => {
  const { psnr, worstBlock } = compare(one, other, shape)
  if (psnr < LEAST_PSNR) return `${psnr.toFixed(1)} dB PSNR, less than ${LEAST_PSNR}`
  if (worstBlock > MOST_BLOCK) return `a part of it differs by ${worstBlock.toFixed(0)} of 255`
  return undefined
}

/** Frames between two that are compared. */
const SAMPLE_FRAMES = 60

/**
 * The frames of a range that are compared: every 60th of the whole composition, and its last. They do not depend on
 * how a render is divided, so that no division sees a fault that another does not.
 */
export const sampledFrames = (start: number, frames: number, last: number): number[] => {
  const end = start + frames
  const samples: number[] = []
  for (let frame = Math.ceil(start / SAMPLE_FRAMES) * SAMPLE_FRAMES; frame < end; frame += SAMPLE_FRAMES)
    samples.push(frame)
  if (last >= start && last < end && samples.at(-1) !== last) samples.push(last)
  return samples
}
