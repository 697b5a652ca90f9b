import type { Pixels } from './png.ts'

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
const LEAST_PSNR = 40

/** Antialiased edges drawn in two ways stay far below this; a missing or moved thing is above. */
const MOST_BLOCK = 40

/** Compares two pictures of the same size. */
export const compare = (one: Pixels, other: Uint8Array): Likeness => {
  const { width, height, data } = one
  const columns = Math.ceil(width / BLOCK)
  let squares = 0
  let worstBlock = 0
  for (let top = 0; top < height; top += BLOCK) {
    const sums = new Float64Array(columns)
    const bottom = Math.min(top + BLOCK, height)
    for (let y = top; y < bottom; y++)
      for (let at = y * width * 4, x = 0; x < width * 4; x++, at++) {
        const difference = (data[at] ?? 0) - (other[at] ?? 0)
        if (difference === 0) continue
        squares += difference * difference
        const column = (x / (BLOCK * 4)) | 0
        sums[column] = (sums[column] ?? 0) + Math.abs(difference)
      }
    for (const [column, sum] of sums.entries()) {
      const area = (bottom - top) * Math.min(BLOCK, width - column * BLOCK)
      worstBlock = Math.max(worstBlock, sum / (area * 3))
    }
  }
  return { psnr: 10 * Math.log10((255 * 255 * width * height * 3) / squares), worstBlock }
}

/** Why two pictures cannot be of one frame, in words; undefined when they can. */
export const findDifference = (one: Pixels, other: Uint8Array): string | undefined => {
  const { psnr, worstBlock } = compare(one, other)
  if (psnr < LEAST_PSNR) return `${psnr.toFixed(1)} dB PSNR, less than ${LEAST_PSNR}`
  if (worstBlock > MOST_BLOCK) return `a part of it differs by ${worstBlock.toFixed(0)} of 255`
  return undefined
}

/** The frames of a range that are compared: the first, the last, and about one in 60 between. */
export const sampledFrames = (start: number, frames: number): number[] => {
  const gaps = Math.max(1, Math.ceil((frames - 1) / 60))
  const samples = Array.from({ length: gaps + 1 }, (_, at) => start + Math.round(((frames - 1) * at) / gaps))
  return [...new Set(samples)]
}
