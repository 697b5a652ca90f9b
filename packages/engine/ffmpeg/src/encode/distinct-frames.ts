import type { Frame } from '@vid/kernel'

/** Frames without repeats; once all are read, `times[i]` is the number of times that the i-th is shown. */
export interface DistinctFrames {
  readonly frames: AsyncIterable<Frame>
  readonly times: readonly number[]
}

/** Drops frames that repeat the one before, and counts them. */
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
