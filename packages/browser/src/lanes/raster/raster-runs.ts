import type { RasterRange, RasterRun } from '@vid/runtime'
import type { CompositionPage } from '../../page/composition-page.ts'
import { RING_SLOTS } from './raster-ring.ts'

/** Runs requested ahead of the reader: one slot of the ring is being read, and one is spare. */
const AHEAD = RING_SLOTS - 2

/** Frames of a run while the page stands still; while it moves, each run has one frame. */
const STILL_FRAMES = 30

/** A run that was requested. */
interface Asked {
  readonly most: number
  readonly slot: number
  readonly answer: Promise<RasterRun>
}

const doing = (first: number, last: number) =>
  first === last ? `showing frame ${first}` : `showing one of the frames ${first} to ${last}`

/** Requests the frames of a range from a page, run by run, until the last or one that cannot be captured. */
export async function* rasterRuns(
  { showing }: Pick<CompositionPage, 'showing'>,
  { start, frames }: RasterRange,
): AsyncGenerator<{ readonly run: RasterRun; readonly slot: number }> {
  const end = start + frames
  const asked: Asked[] = []
  let taken = start
  let count = 0
  let isStill = false
  let lastAsked = start
  const ask = () => {
    const most = isStill ? STILL_FRAMES : 1
    // Runs before it may end early, but each has a frame.
    const first = Math.min(taken + asked.length, end - 1)
    const last = Math.min(taken + asked.reduce((sum, each) => sum + each.most, most), end) - 1
    const slot = count++ % RING_SLOTS
    const command = `__vidHost.raster.next(${slot},${most})`
    const answer = showing(last, command, doing(first, last), {
      after: asked.at(-1)?.answer ?? Promise.resolve(),
      // The page may be busy with any requested run, since their answers come in order.
      doing: () => doing(taken, Math.max(last, lastAsked)),
    })
    lastAsked = last
    answer.catch(() => undefined)
    asked.push({ most, slot, answer: answer as Promise<RasterRun> })
  }
  /** Whether the requested runs may end before the range does. */
  const needsMore = () => taken + asked.length < end && asked.length < AHEAD
  try {
    while (taken < end) {
      while (needsMore()) ask()
      const next = asked.shift()
      if (!next) return
      const run = await next.answer
      taken += run.repeats + (run.last === undefined ? 0 : 1)
      isStill = run.repeats > 0
      yield { run, slot: next.slot }
      if (typeof run.last === 'object') return
    }
  } catch (thrown) {
    // The page will not answer the other requests either.
    asked.length = 0
    throw thrown
  } finally {
    // The page must not be used for anything else before it has answered.
    await Promise.allSettled([Promise.all(asked.map(({ answer }) => answer))])
  }
}
