import { captureFailure } from '../capture-errors.ts'
import type { RasterSource } from './lane-raster.ts'
import { captureAgain, takeReference } from './repeated-capture.ts'
import { findDifference, sampledFrames } from './samples.ts'

/** Resolves to true once a frame is captured, or to false if it never will be. */
const createTaken = () => {
  let resolve = (_isTaken: boolean) => {}
  const promise = new Promise<boolean>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** The comparison of a range's sampled frames with screenshots, while other frames are captured. */
export interface FrameSamples {
  /** The frames that are compared. */
  readonly frames: readonly number[]
  /** Starts comparing; called after the first frame, which it would delay. */
  start(): void
  /** Reports a captured frame; throws when an earlier one was wrong. */
  note(frame: number): void
  /** Waits for all comparisons; throws when a frame was wrong. */
  end(isWhole: boolean): Promise<void>
  settle(): Promise<void>
}

/** Creates the comparison for a range. */
export const createFrameSamples = ({ raster, range, last, reference, openAgain }: RasterSource): FrameSamples => {
  const frames = sampledFrames(range.start, range.frames, { last, isCostly: raster.isCostly })
  const pictures = new Map(frames.map((frame) => [frame, createTaken()]))
  let failure: Error | undefined
  const compareFrame = async (frame: number): Promise<void> => {
    const composition = await reference(frame)
    // Once the frame is captured, this page gets the frame's video pictures from the other page and need not decode them.
    if (!(await pictures.get(frame)?.promise)) return
    await composition.seek(frame, true)
    const screenshot = await takeReference(composition)
    const answer = await raster.compare(frame, screenshot)
    const detail = 'unfit' in answer ? answer.unfit : findDifference(answer)
    if (detail === undefined) return
    const repetition = await captureAgain(composition, screenshot, openAgain)
    const reason = `frame ${frame} of the fastest lane does not equal its screenshot (${detail})`
    failure = captureFailure('VID_LANE_UNFIT', { reason, repetition })
  }
  let comparing: Promise<void> | undefined
  const compareAll = async () => {
    for (const frame of frames) if (!failure) await compareFrame(frame)
  }
  const stop = () => {
    for (const { resolve } of pictures.values()) resolve(false)
  }
  return {
    frames,
    start() {
      comparing ??= compareAll()
      comparing.catch(stop)
    },
    note(frame) {
      pictures.get(frame)?.resolve(true)
      if (failure) throw failure
    },
    async end(isWhole) {
      if (!isWhole) stop()
      await comparing
      if (failure) throw failure
    },
    async settle() {
      stop()
      await Promise.allSettled([comparing])
    },
  }
}
