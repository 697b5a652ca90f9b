import type { Likeness } from '@vid/runtime'

/** Lowest similarity of two pictures of one frame, in dB. */
const MIN_PSNR = 45

/** Differences of antialiased edges stay far below this; a missing or moved element is above. */
const MAX_BLOCK = 40

/** The reason why two pictures cannot show the same frame; undefined if they can. */
export const findDifference = ({ psnr, worstBlock }: Likeness, minPsnr: number = MIN_PSNR): string | undefined => {
  if (psnr !== null && psnr < minPsnr) return `${psnr.toFixed(1)} dB PSNR, less than ${minPsnr}`
  if (worstBlock > MAX_BLOCK) return `a part of it differs by ${worstBlock.toFixed(0)} of 255`
  return undefined
}

/** Distance between compared frames. */
const SAMPLE_FRAMES = 120

/** The last compared frame of a page for which each comparison draws all earlier frames again. */
const COSTLY_SAMPLE = 12

/** Share of the frames of such a page that may be drawn again for comparison. */
const COSTLY_PART = 10

const costlySamples = (last: number): readonly number[] => [
  ...new Set([0, Math.min(COSTLY_SAMPLE, Math.ceil(last / COSTLY_PART))]),
]

/** The properties of a composition that determine which frames are compared. */
export interface SampledPage {
  /** Its last frame. */
  readonly last: number
  /** Whether showing a frame requires slowly drawing all earlier frames. */
  readonly isCostly: boolean
  /** Whether the range is a whole segment, which is compared at least once unless that is slow. */
  readonly isSegment?: boolean
}

/** A frame between two sampled ones, anywhere, but always the same one in a composition of this length. */
const innerSample = (from: number, last: number): number => {
  const mixed = Math.imul(Math.imul(from + 1, 0x9e3779b1) ^ last, 0x85ebca6b) >>> 8
  return from + 1 + (mixed % (SAMPLE_FRAMES - 1))
}

/**
 * The frames of a range that are compared whatever happens in them: every 120th of the whole composition, its last, and one
 * between each two; for an expensive one, two in its first tenth. They do not depend on how a render is split, so that
 * every split finds the same differences. Of a segment without any of these, such as a short range, its last.
 */
export const comparedFrames = (start: number, frames: number, { last, isCostly, isSegment }: SampledPage): number[] => {
  const end = start + frames
  if (isCostly) return costlySamples(last).filter((frame) => frame >= start && frame < end)
  const samples = new Set<number>()
  for (let frame = Math.floor(start / SAMPLE_FRAMES) * SAMPLE_FRAMES; frame < end; frame += SAMPLE_FRAMES)
    samples.add(frame).add(innerSample(frame, last))
  samples.add(last)
  const inside = [...samples].filter((frame) => frame >= start && frame < end && frame <= last).sort((a, b) => a - b)
  return isSegment && inside.length === 0 ? [end - 1] : inside
}
