import type { Segment } from '@vid/protocol'

/** Splits `frames` into at most `maxParallel` equal runs of about `segmentFrames`; chunks use it too. */
export const splitFrames = (frames: number, segmentFrames: number, maxParallel = Infinity): Segment[] => {
  const wanted = Math.min(maxParallel, Math.ceil(frames / segmentFrames))
  const size = Math.ceil(frames / wanted)
  return Array.from({ length: Math.ceil(frames / size) }, (_, index) => ({
    index,
    start: index * size,
    frames: Math.min(size, frames - index * size),
  }))
}
