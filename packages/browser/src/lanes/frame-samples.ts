import { captureFailure } from '../capture-errors.ts'
import type { RasterSource } from './raster-source.ts'
import { captureAgain, takeReference } from './repeated-capture.ts'
import { findDifference, sampledFrames } from './samples.ts'

/** Pictures that may wait for their comparison before the capture waits for it. */
const MAX_WAITING = 6

/** The comparison of a range's sampled frames with screenshots, while other frames are captured. */
export interface FrameSamples {
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

/** Wakes whoever waits for news. */
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

/** Compares a captured frame with its screenshot; resolves to the error of one that is wrong. */
const compareFrame = async (source: RasterSource, frame: number): Promise<Error | undefined> => {
  const composition = await source.reference(frame)
  await composition.seek(frame, true)
  const screenshot = await takeReference(composition)
  const answer = await source.raster.compare(frame, screenshot)
  const detail = 'unfit' in answer ? answer.unfit : findDifference(answer)
  if (detail === undefined) return undefined
  const repetition = await captureAgain(composition, screenshot, source.openAgain)
  const reason = `frame ${frame} of the fastest lane does not equal its screenshot (${detail})`
  return captureFailure('VID_LANE_UNFIT', { reason, repetition })
}

/** The frames of a range that wait for their comparison, and what came of the others. */
interface Comparison {
  readonly planned: readonly number[]
  readonly waiting: number[]
  /** The last captured frame. */
  shown: number
  isOver: boolean
  failure?: Error | undefined
  readonly captured: ReturnType<typeof createNews>
  readonly compared: ReturnType<typeof createNews>
}

/** Compares frames as they come, until one is wrong, or all are compared and no other comes. */
const compareFrames = async (source: RasterSource, comparison: Comparison): Promise<void> => {
  const { planned, waiting, captured, compared } = comparison
  let reached = source.range.start - 1
  while (!comparison.failure) {
    const frame = waiting.shift()
    if (frame !== undefined) {
      comparison.failure = await compareFrame(source, frame)
      reached = frame
      compared.tell()
    } else if (comparison.isOver) return
    else {
      const news = captured.next()
      const { shown } = comparison
      // The page opens meanwhile, and one that is replayed comes nearer to the next sampled frame.
      if (shown > reached && planned.some((each) => each >= shown)) {
        reached = shown
        await source.reference(reached)
      } else await news
    }
  }
}

/** Creates the comparison for a range. */
export const createFrameSamples = (source: RasterSource): FrameSamples => {
  const { raster, range, last } = source
  const planned = sampledFrames(range.start, range.frames, { last, isCostly: raster.isCostly })
  const [captured, compared] = [createNews(), createNews()]
  const comparison: Comparison = { planned, waiting: [], shown: range.start, isOver: false, captured, compared }
  const { waiting } = comparison
  let comparing: Promise<void> | undefined
  const start = () => {
    comparing ??= compareFrames(source, comparison).finally(() => {
      comparison.isOver = true
      compared.tell()
    })
    comparing.catch(() => undefined)
  }
  const stop = () => {
    comparison.isOver = true
    captured.tell()
  }
  const check = () => {
    if (comparison.failure) throw comparison.failure
  }
  return {
    planned,
    note(frame, isHappening) {
      check()
      if (isHappening || planned.includes(frame)) waiting.push(frame)
      comparison.shown = frame
      captured.tell()
      // After the first frame, which it would delay.
      if (waiting.length > 0 || planned.some((each) => each >= frame)) start()
    },
    async room() {
      while (waiting.length > MAX_WAITING && !comparison.isOver) await compared.next()
    },
    async end() {
      stop()
      await comparing
      check()
    },
    async settle() {
      waiting.length = 0
      stop()
      await Promise.allSettled([comparing])
    },
  }
}
