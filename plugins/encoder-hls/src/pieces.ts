import { framesIn, type RenderPlan, splitFrames } from '@vid/kernel'
import type { HlsSettings } from './settings.ts'

/** Frames of one media segment of pictures. */
export interface Piece {
  /** First frame, counted in the video. */
  readonly start: number
  readonly frames: number
}

/** Most frames of a media segment. */
const pieceFrames = ({ fps }: Pick<RenderPlan, 'fps'>, { segmentSeconds }: Pick<HlsSettings, 'segmentSeconds'>) =>
  Math.max(1, Math.floor(framesIn(segmentSeconds, fps)))

/** The media segments of a segment of the plan, which begin at key frames. */
export const piecesOf = (
  segment: RenderPlan['segments'][number],
  plan: Pick<RenderPlan, 'fps'>,
  settings: Pick<HlsSettings, 'segmentSeconds'>,
): Piece[] =>
  splitFrames(segment.frames, pieceFrames(plan, settings)).map(({ start, frames }) => ({
    start: segment.start + start,
    frames,
  }))
