import { isVidError, type VidError } from '@vid/protocol'
import { captureFailure } from '../capture-errors.ts'
import { captureWarning } from '../capture-warnings.ts'
import type { LaneChoice, RasterEligibility, Refusal } from '../lanes/lane-choice.ts'
import type { Repetition } from '../repetition.ts'
import type { Shortage } from '../shortage.ts'
import type { SessionOptions } from './session-options.ts'

/** How a session leaves the raster lane; with another lane than `auto`, `warn` and `refuse` throw VID_LANE_UNFIT. */
export interface RasterFallback {
  /** Reports the reason for capturing frames in a slower lane. */
  warn(reason: string): void
  /** Reports a VID_LANE_UNFIT, and remembers its reason for the page, or for the range that begins with a frame. */
  refuse(error: VidError, start?: number): void
  /**
   * Notes an error, and returns it. A page that has crashed twice, for no lack of the machine, is refused, or the range
   * that begins with a frame.
   */
  noteCrash(error: unknown, start?: number): unknown
  /** Work of a page whose crashes are noted. */
  noting<T>(work: () => Promise<T>): () => Promise<T>
  /** Whether the range that begins with a frame was refused before. */
  isRefused(start: number): boolean
}

/** Whether an error says that a page, or some of its frames, cannot be captured in the raster lane. */
export const isUnfit = (error: unknown): error is VidError => isVidError(error) && error.code === 'VID_LANE_UNFIT'

/** A page that crashes again is no accident. */
const MAX_CRASHES = 2

/** Whether an error says that a page crashed, although the machine lacked nothing. */
const isCrash = (error: unknown): boolean => {
  if (!isVidError(error) || error.code !== 'VID_PAGE_CRASHED') return false
  const { folder, isKilled } = error.facts.shortage as Shortage
  return folder === undefined && !isKilled
}

const refusalOf = ({ facts }: VidError): Refusal => ({
  reason: String(facts.reason),
  repetition: facts.repetition as Repetition | undefined,
})

/** Decides for one session how to capture a page that the raster lane cannot capture. */
export const createRasterFallback = (
  lane: LaneChoice,
  eligibility: RasterEligibility,
  warn: SessionOptions['warn'],
): RasterFallback => {
  const report = (refusal: Refusal) => {
    const { reason, repetition } = refusal
    if (lane !== 'auto') throw captureFailure('VID_LANE_UNFIT', { reason })
    if (repetition?.moves) warn(captureWarning('VID_PAGE_UNREPEATABLE', repetition))
    else warn(captureWarning('VID_LANE_FALLBACK', refusal))
  }
  const noteCrash = (error: unknown, start?: number) => {
    if (lane !== 'auto' || !isCrash(error) || eligibility.countCrash(start) < MAX_CRASHES) return error
    const refusal = { reason: 'the page crashes in the fastest lane' }
    report(refusal)
    eligibility.refuse(refusal, start)
    return error
  }
  return {
    warn: (reason) => report({ reason }),
    refuse(error, start) {
      const refusal = refusalOf(error)
      report(refusal)
      eligibility.refuse(refusal, start)
    },
    noteCrash,
    noting: (work) => () =>
      work().catch((error: unknown) => {
        throw noteCrash(error)
      }),
    isRefused(start) {
      const refusal = lane === 'auto' ? eligibility.refusal(start) : undefined
      // It is about the pictures, so that each session that captures them says it.
      if (refusal?.repetition?.moves) report(refusal)
      return refusal !== undefined
    },
  }
}
