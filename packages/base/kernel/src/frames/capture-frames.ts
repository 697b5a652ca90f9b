import type { RenderPlan, Segment } from '@vid/protocol'
import type { CaptureSession, Frame, FrameFormat } from '../contracts/roles.ts'
import type { SegmentPart } from '../contracts/targets.ts'
import { capturePlan } from '../plan/picture-scale.ts'
import { isSliceable } from '../plan/slices.ts'
import type { Watch } from '../supervision/watch.ts'
import { frameBytes } from './check-frames.ts'
import { createSlicedFrames, type SlicePage } from './sliced-frames.ts'

/** A page that one reader uses at a time. */
export interface PageLease {
  readonly session: CaptureSession
  /** Gives the page back; `next` is the first frame that it has not shown, `captured` what it was probed for. */
  release(next: number, captured?: RenderPlan): void
  discard(): Promise<void>
}

/** How the frames of a range are captured. */
export interface FramesOptions {
  readonly accepts: readonly FrameFormat[]
  /** Of the segment. */
  readonly signal: AbortSignal
  /** Gets each page that captures some of the frames. */
  onPage?(page: CaptureSession): void
  /** Called when other pages may help; without it, one page captures all frames. */
  readonly onSliceable?: SegmentPart['onSliceable']
}

/** Where pages come from, and what watches over them. */
interface Pages {
  /** Leases a page that has shown no frame from `start` on. */
  take(plan: RenderPlan, start: number): Promise<PageLease>
  readonly watch: Watch
}

/** A range of the composition, which the pages of `plan` capture. */
interface Range {
  readonly plan: RenderPlan
  readonly range: Segment
}

/** Frames of a range, by one page. */
async function* captureAlone(
  { take, watch }: Pages,
  { plan, range }: Range,
  { accepts, signal, onPage }: FramesOptions,
  leased = take(plan, range.start),
): AsyncGenerator<Frame> {
  const page = await leased
  onPage?.(page.session)
  let left = range.frames
  try {
    const frames = () => page.session.frames(range, accepts, plan)
    for await (const frame of watch.iterate(plan.capture.name, 'capture', frames, signal)) {
      left -= 1
      yield frame
    }
  } catch (thrown) {
    left = 1
    throw thrown
  } finally {
    if (left === 0) page.release(range.start + range.frames)
    else await page.discard()
  }
}

/** A page that captures slices; undefined if it captures whole ranges only. */
const slicePage = (
  { watch }: Pages,
  plan: RenderPlan,
  { session, release, discard }: PageLease,
  { accepts, signal, onPage }: FramesOptions,
): SlicePage | undefined => {
  const capture = session.slice?.bind(session)
  if (!capture) return undefined
  onPage?.(session)
  return {
    frames(start, slice, sliceSignal) {
      const frames = () => capture(start, slice, accepts, plan)
      return watch.iterate(plan.capture.name, 'capture', frames, AbortSignal.any([signal, sliceSignal]))
    },
    release,
    discard,
  }
}

/** Frames of a range in slices, if the first page captures such. */
const captureSlices = (
  pages: Pages,
  part: Range,
  options: FramesOptions,
  bytes: number,
  leased: Promise<PageLease>,
) => {
  const { plan, range } = part
  const alone = (start: number) =>
    captureAlone(pages, { plan, range: { ...range, start, frames: range.start + range.frames - start } }, options)
  const sliced = leased.then((page) => {
    const first = slicePage(pages, plan, page, options)
    return first && createSlicedFrames(first, { segment: range, frameBytes: bytes, alone })
  })
  // Its failure is that of the frames.
  sliced.catch(() => {})
  options.onSliceable?.(async () => {
    const shared = await sliced.catch(() => undefined)
    if (!shared) return
    const page = await pages.take(plan, range.start)
    const helper = slicePage(pages, plan, page, options)
    if (helper) await shared.help(helper)
    else page.release(range.start)
  })
  return sliced
}

/** Frames of a range of the composition, by as many pages as help; each is as large as those of `output`. */
export async function* captureFrames(
  pages: Pages,
  output: RenderPlan,
  range: Segment,
  options: FramesOptions,
): AsyncGenerator<Frame> {
  const plan = capturePlan(output)
  const part = { plan, range }
  const leased = pages.take(plan, range.start)
  const bytes = frameBytes(options.accepts[0] ?? 'png', output.width, output.height)
  const canHelp = options.onSliceable !== undefined && isSliceable(output)
  const shared = canHelp && bytes !== undefined ? await captureSlices(pages, part, options, bytes, leased) : undefined
  if (shared) yield* shared.frames()
  else yield* captureAlone(pages, part, options, leased)
}
