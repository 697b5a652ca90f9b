import { failRender, framesIn, type RenderPlan, type RenderRequest, readTime, secondsOf } from '@vid/protocol'

/** Times that differ by less of a frame are the same. */
const SAME_FRAMES = 1e-6

/** The requested range of frames, from one time of a composition to before another. */
export const frameRange = (
  plan: Pick<RenderPlan, 'frames' | 'fps' | 'duration'>,
  { from, to }: Pick<RenderRequest, 'from' | 'to'>,
): { readonly start: number; readonly length: number } => {
  const { frames, fps, duration } = plan
  const frameAt = (text: string) => Math.ceil(readTime(text, plan) - SAME_FRAMES)
  const start = from === undefined ? 0 : frameAt(from)
  const end = to === undefined ? frames : frameAt(to)
  const words = [from === undefined ? '' : `from ${from}`, to === undefined ? '' : `to ${to}`]
  const last = Math.max(frames, Math.ceil(framesIn(duration, fps) - SAME_FRAMES))
  const problem =
    end > last ? 'it ends before that' : start >= Math.min(end, frames) ? 'no frame lies there' : undefined
  if (problem !== undefined)
    throw failRender('VID_RANGE_UNFIT', {
      asked: words.join(' ').trim(),
      seconds: Number(duration.toFixed(3)),
      frames,
      problem,
    })
  return { start, length: Math.min(end, frames) - start }
}

/** A plan of the requested frames. */
export const cutPlan = (plan: RenderPlan, request: Pick<RenderRequest, 'from' | 'to'>): RenderPlan => {
  if (request.from === undefined && request.to === undefined) return plan
  const { start, length } = frameRange(plan, request)
  if (length === plan.frames) return plan
  return {
    ...plan,
    frames: length,
    duration: secondsOf(length, plan.fps),
    range: { start, of: plan.frames },
  }
}
