import { isVidError, type VidError } from '@vid/kernel'
import { captureFailure } from '../capture-errors.ts'
import { captureWarning } from '../capture-warnings.ts'
import type { LaneChoice, RasterEligibility } from '../lanes/lane-choice.ts'
import type { SessionOptions } from './session-options.ts'

/** How a session leaves the raster lane; with another lane than `auto`, `warn` and `refuse` throw VID_LANE_UNFIT. */
export interface RasterFallback {
  /** Reports the reason for capturing frames in a slower lane. */
  warn(reason: string): void
  /** Reports the reason, and remembers it for the page, or for the range that begins with a frame. */
  refuse(reason: string, start?: number): void
  /** Whether the range that begins with a frame was refused before. */
  isRefused(start: number): boolean
}

/** Whether an error says that a page, or some of its frames, cannot be captured in the raster lane. */
export const isUnfit = (error: unknown): error is VidError => isVidError(error) && error.code === 'VID_LANE_UNFIT'

/** The reason in a VID_LANE_UNFIT. */
export const unfitReason = ({ facts }: VidError): string => String(facts.reason)

/** Decides for one session how to capture a page that the raster lane cannot capture. */
export const createRasterFallback = (
  lane: LaneChoice,
  eligibility: RasterEligibility,
  warn: SessionOptions['warn'],
): RasterFallback => {
  const report = (reason: string) => {
    if (lane !== 'auto') throw captureFailure('VID_LANE_UNFIT', { reason })
    warn(captureWarning('VID_LANE_FALLBACK', { reason }))
  }
  return {
    warn: report,
    refuse(reason, start) {
      report(reason)
      eligibility.refuse(reason, start)
    },
    isRefused: (start) => lane === 'auto' && eligibility.refusal(start) !== undefined,
  }
}
