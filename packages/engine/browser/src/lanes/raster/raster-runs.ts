import type { RasterRange, RasterRun } from '@vid/runtime'
import type { CompositionPage } from '../../page/composition-page.ts'
import { callPage } from '../../page/page-call.ts'
import { RING_SLOTS } from './raster-ring.ts'

/** Runs requested ahead of the reader: one slot of the ring is being read, and one is spare. */
const AHEAD = RING_SLOTS - 2

/** Frames of a run while the page is static; while it moves, each run has one frame. */
const STILL_FRAMES = 30

/** A run that was requested. */
interface Asked {
  readonly maxFrames: number
  readonly slot: number
  readonly answer: Promise<RasterRun>
}

const doing = (first: number, last: number) =>
  first === last ? `showing frame ${first}` : `showing one of the frames ${first} to ${last}`

/** The parts of a composition that capture runs. */
export interface RunPage {
  readonly page: Pick<CompositionPage['page'], 'evaluate'>
  readonly showing: CompositionPage['showing']
}

/**
 * Requests the frames of a range from a page, run by run, until the last or one that cannot be captured. `end` is the
 * frame before which the range ends now, if that may be earlier than it began with; the last run may go beyond it.
 */
export async function* rasterRuns(
  { page, showing }: RunPage,
  { start, frames }: RasterRange,
  end: () => number = () => start + frames,
): AsyncGenerator<{ readonly run: RasterRun; readonly slot: number }> {
  const requests: Asked[] = []
  let position = start
  let count = 0
  let isStill = false
  let lastAsked = start
  const ask = () => {
    const maxFrames = isStill ? STILL_FRAMES : 1
    // Runs before it may end early, but each has a frame.
    const first = Math.min(position + requests.length, end() - 1)
    const last = Math.min(position + requests.reduce((sum, request) => sum + request.maxFrames, maxFrames), end()) - 1
    const slot = count++ % RING_SLOTS
    const ahead = {
      after: requests.at(-1)?.answer ?? Promise.resolve(),
      // The page may be busy with any requested run, since their answers come in order.
      doing: () => doing(position, Math.max(last, lastAsked)),
    }
    const call = callPage(page, { doing: doing(first, last), ahead }, 'raster.next', slot, maxFrames)
    const answer = showing(last, call)
    lastAsked = last
    answer.catch(() => undefined)
    requests.push({ maxFrames, slot, answer })
  }
  /** Whether the requested runs may end before the range does. */
  const needsMore = () => position + requests.length < end() && requests.length < AHEAD
  try {
    while (position < end()) {
      while (needsMore()) ask()
      const next = requests.shift()
      if (!next) return
      const run = await next.answer
      position += run.repeats + (run.last === undefined ? 0 : 1)
      isStill = run.repeats > 0
      yield { run, slot: next.slot }
      if (typeof run.last === 'object' && 'unfit' in run.last) return
    }
  } catch (thrown) {
    // The page will not answer the other requests either.
    requests.length = 0
    throw thrown
  } finally {
    // The page must not be used for other calls before it has answered.
    await Promise.allSettled([Promise.all(requests.map(({ answer }) => answer))])
  }
}
