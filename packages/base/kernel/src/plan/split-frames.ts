import type { Segment } from '@vid/protocol'

/** Splits `frames` into equal runs of about `segmentFrames`, of which the last may be shorter. */
export const splitFrames = (frames: number, segmentFrames: number): Segment[] => {
  const size = Math.ceil(frames / Math.ceil(frames / segmentFrames))
  return Array.from({ length: Math.ceil(frames / size) }, (_, index) => ({
    index,
    start: index * size,
    frames: Math.min(size, frames - index * size),
  }))
}

/** Spreads `frames` over exactly `count` runs, whose lengths differ by one frame at most. */
export const spreadFrames = (frames: number, count: number): Segment[] =>
  Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * frames) / count)
    return { index, start, frames: Math.floor(((index + 1) * frames) / count) - start }
  })
