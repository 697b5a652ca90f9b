import type { PageConfig } from '@vid/runtime'

/** Ticks before the first frame belong to loading; a page never needs as many frames to load. */
const LOADING_TICKS = 1_000_000

/** Times passed to the compositor, in milliseconds; they depend only on the frame number and only increase. */
export interface FrameTicks {
  readonly intervalMs: number
  /** The next tick while the page loads. */
  loading(): number
  /** Tick `part` (0, 1, …) of a frame; frames may be left out, never repeated. */
  of(frame: number, part: number): number
}

/** Parts that one frame is divided into. */
const PARTS = 4

/** Creates the ticks of one page. */
export const createTicks = ({ fps, fpsDivisor = 1 }: PageConfig): FrameTicks => {
  const intervalMs = (1000 * fpsDivisor) / fps
  let loaded = 0
  return {
    intervalMs,
    loading: () => ++loaded,
    of: (frame, part) => LOADING_TICKS + (frame + part / PARTS) * intervalMs,
  }
}
