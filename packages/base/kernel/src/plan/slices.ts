import type { RenderPlan } from '@vid/protocol'

/** Fewest frames of a slice. */
export const MIN_SLICE_FRAMES = 6

/**
 * Frames of a segment that its first page captures in any case, since it may have requested them before it learns that
 * another page captures the later ones.
 */
export const FIRST_SLICE_FRAMES = 8

type PagesPlan = Pick<RenderPlan, 'composition' | 'segments' | 'media' | 'hdr'>

/**
 * Whether several pages may capture slices of one segment: each frame needs none before it, and no page would have to
 * decode a video from its key frame again.
 */
export const isSliceable = ({ composition, media, hdr }: Omit<PagesPlan, 'segments'>): boolean =>
  !composition.stateful && hdr === undefined && media.every(({ source }) => source.picture === null)

/** Number of pages that can capture a plan at once, if its engine captures slices. */
export const mostPages = (plan: PagesPlan): number => {
  const { segments } = plan
  if (!isSliceable(plan)) return segments.length
  const slicesOf = (frames: number) => 1 + Math.max(0, Math.floor((frames - FIRST_SLICE_FRAMES) / MIN_SLICE_FRAMES))
  return segments.reduce((sum, { frames }) => sum + slicesOf(frames), 0)
}
