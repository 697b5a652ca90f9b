import { framesIn, type RenderPlan, readTime } from '@vid/protocol'

/** The length that times are moments of. */
export type MomentBase = Pick<RenderPlan, 'frames' | 'fps' | 'duration'>

/** The frame that is shown at a time, as `TIME_RULE` says it; the end is the last frame, undefined after it. */
export const frameAt = (text: string, length: MomentBase): number | undefined => {
  const { frames, fps, duration } = length
  const position = readTime(text, length)
  if (position > framesIn(duration + 1e-6, fps)) return undefined
  // A rounded product must not fall into the frame before.
  return Math.min(Math.floor(position + 1e-6), frames - 1)
}
