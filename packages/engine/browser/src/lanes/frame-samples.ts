import { captureFailure } from '../capture-errors.ts'
import type { RasterSource } from './raster-source.ts'
import { captureAgain, takeReference } from './repeated-capture.ts'
import { comparedFrames, findDifference } from './samples.ts'

/** Pictures that may wait for their comparison before the capture waits for it. */
const MAX_WAITING = 6

/** The comparison of a range's sampled frames with screenshots, while other frames are captured. */
interface FrameSamples {
  /** The frames that are compared whatever happens in them. */
  readonly planned: readonly number[]
  /** Reports a captured frame, and whether it was kept since something happens in it; throws when an earlier one was wrong. */
  note(frame: number, isHappening: boolean): void
  /** Waits while too many pictures wait for their comparison. */
  room(): Promise<void>
  /** Waits for all comparisons; throws when a frame was wrong. */
  end(): Promise<void>
  settle(): Promise<void>
}

/** Wakes all that wait for news. */
const createNews = () => {
  let wake = () => {}
  let news = Promise.resolve()
  const renew = () => {
    wake()
    news = new Promise((resolve) => {
      wake = resolve
    })
  }
  renew()
  return { next: () => news, tell: renew }
}

/** Compares a frame that was captured; returns the failure of its range if it is wrong. */
const compareFrame = async (
  { raster, reference, openAgain }: RasterSource,
  frame: number,
): Promise<Error | undefined> => {
  const composition = await reference(frame)
  await composition.seek(frame, true)
  const screenshot = await takeReference(composition)
  const answer = await raster.compare(frame, screenshot)
  const detail = 'unfit' in answer ? answer.unfit : findDifference(answer)
  if (detail === undefined) return undefined
  const repetition = await captureAgain(composition, screenshot, openAgain)
  const reason = `frame ${frame} of the fastest lane does not equal its screenshot (${detail})`
  return captureFailure('VID_LANE_UNFIT', { reason, repetition })
}

const plannedFrames = ({ raster, range, last, isSegment }: RasterSource): number[] =>
  comparedFrames(range.start, range.frames, { last, isSegment, isCostly: raster.isCostly })

/** Creates the comparison for a range. */
export const createFrameComparison = (source: RasterSource): FrameSamples => {
  const { range, reference } = source
  const planned = plannedFrames(source)
  const isAwaited = (frame: number) => planned.some((each) => each >= frame)
  const waiting: number[] = []
  const captured = createNews()
  const compared = createNews()
  let shown = range.start
  let isOver = false
  let failure: Error | undefined
  let comparing: Promise<void> | undefined
  const compareAll = async () => {
    let reached = range.start - 1
    while (!failure) {
      const frame = waiting.shift()
      if (frame !== undefined) {
        reached = frame
        failure = await compareFrame(source, frame)
        compared.tell()
      } else if (isOver) return
      else if (shown > reached && isAwaited(shown)) {
        // The page opens meanwhile, and one that is replayed comes nearer to the next sampled frame.
        reached = shown
        await reference(reached)
      } else await captured.next()
    }
  }
  const stop = () => {
    isOver = true
    captured.tell()
    compared.tell()
  }
  return {
    planned,
    note(frame, isHappening) {
      if (failure) throw failure
      if (isHappening || planned.includes(frame)) waiting.push(frame)
      shown = frame
      captured.tell()
      // After the first frame, which it would delay.
      if (waiting.length > 0 || isAwaited(frame)) comparing ??= compareAll().finally(stop)
      comparing?.catch(() => undefined)
    },
    async room() {
      while (waiting.length > MAX_WAITING && !isOver) await compared.next()
    },
    async end() {
      stop()
      await comparing
      if (failure) throw failure
    },
    async settle() {
      waiting.length = 0
      stop()
      await Promise.allSettled([comparing])
    },
  }
}
