import type { Likeness } from '@vid/runtime'

/** Lowest similarity of two pictures of one frame, in dB. */
const MIN_PSNR = 45

/** Differences of antialiased edges stay far below this; a missing or moved element is above. */
const MAX_BLOCK = 40

/** Why two pictures cannot show the same frame; undefined when they can. */
export const findDifference = ({ psnr, worstBlock }: Likeness): string | undefined => {
  if (psnr !== null && psnr < MIN_PSNR) return `${psnr.toFixed(1)} dB PSNR, less than ${MIN_PSNR}`
  if (worstBlock > MAX_BLOCK) return `a part of it differs by ${worstBlock.toFixed(0)} of 255`
  return undefined
}

/** Distance between compared frames. */
const SAMPLE_FRAMES = 120

/**
 * The frames of a range that are compared: every 120th of the whole composition, and its last. They do not depend on
 * how a render is divided, so that every division finds the same faults.
 */
export const sampledFrames = (start: number, frames: number, last: number): number[] => {
  const end = start + frames
  const samples: number[] = []
  for (let frame = Math.ceil(start / SAMPLE_FRAMES) * SAMPLE_FRAMES; frame < end; frame += SAMPLE_FRAMES)
    samples.push(frame)
  if (last >= start && last < end && samples.at(-1) !== last) samples.push(last)
  return samples
}
