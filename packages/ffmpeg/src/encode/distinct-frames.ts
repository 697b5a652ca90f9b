import type { Frame } from '@vid/kernel'

/** Frames without those that equal the one before; `times[i]` says how often the i-th comes once all were read. */
export interface DistinctFrames {
  readonly frames: AsyncIterable<Frame>
  readonly times: readonly number[]
}

/** Leaves out what repeats. */
export const distinctFrames = (all: AsyncIterable<Frame>): DistinctFrames => {
  const times: number[] = []
  async function* read() {
    for await (const frame of all) {
      const last = times.length - 1
      if (frame.repeat && last >= 0) times[last] = (times[last] ?? 0) + 1
      else {
        times.push(1)
        yield frame
      }
    }
  }
  return { frames: read(), times }
}
