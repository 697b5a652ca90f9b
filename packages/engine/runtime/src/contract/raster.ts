import type { RowBand } from './picture-rows.ts'

/** Frames before a frame that a page must have shown to tell whether something happens in it. */
export const KNOWN_BEFORE = 12

/** Why a frame cannot be captured or compared. */
export interface RasterUnfit {
  readonly unfit: string
  /** Whether its picture was lost with its GPU, so that the page is not at fault. */
  readonly isLost?: true
}

/** A frame that is equal to the one before in all other rows; the bytes of these are in the slot, one after the other. */
export interface RasterDrawn {
  readonly drawn: readonly RowBand[]
}

/** The result of a frame: it was drawn, equals the frame before, or cannot be captured for a reason. */
export type RasterAnswer = RasterDrawn | 'repeat' | RasterUnfit

/** A range of frames to capture in order. Its first frame is drawn as a whole. */
export interface RasterRange {
  readonly start: number
  readonly frames: number
  /** True for planar pixels (yuv420p, or yuva420p on a page with alpha), false for rgba. */
  readonly planar: boolean
  /** Frames that are kept to be compared with a screenshot. */
  readonly keep: readonly number[]
  /** Whether frames in which something happens are kept too. */
  readonly keepsHappenings?: boolean
  /** Frames of its segment that follow, if the range is a slice of it; this page draws some of them. */
  readonly later?: number
}

/** The result of the next frames of a range. */
export interface RasterRun {
  /** Frames on which nothing had changed. */
  readonly repeats: number
  /** The result of the frame after them; absent when the run ended before it. */
  readonly last?: RasterAnswer
  /** Set if something happens in that frame, so that it was kept. */
  readonly isHappening?: true
  /** Number of cached backgrounds, if any. */
  readonly stills?: number
}

/** How far two pictures of one frame differ. */
export interface Likeness {
  /** Peak signal-to-noise ratio in dB; null when they are equal. */
  readonly psnr: number | null
  /** The largest mean difference of a block of pixels, 0 … 255, which reveals a small part that is missing. */
  readonly worstBlock: number
}

/** Captures the page as an element; present when the page was configured for it. */
export interface RasterHost {
  /** Starts the worker, after `begin`; returns null, or the reason why this page cannot be captured as an element. */
  open(): Promise<string | null>
  /** Sets the range whose frames `next` captures. */
  begin(range: RasterRange): void
  /**
   * Shows up to `maxFrames` next frames of the range and stops at the first that may have changed. The rows of that
   * frame that differ from the frame before are written to `slot`. May be called before earlier calls have returned.
   */
  next(slot: number, maxFrames: number): Promise<RasterRun>
  /** Captures the frame that a seek has shown, as it looks now, and writes its rgba pixels to `slot`. */
  draw(slot: number): Promise<RasterAnswer>
  /** Compares a kept frame with a screenshot of it, a PNG in base64. */
  compare(frame: number, screenshot: string): Promise<Likeness | RasterUnfit>
}
