import { failRender, framesIn, type RenderPlan, type RenderRequest, readTime, secondsOf } from '@vid/protocol'

/** Times that differ by less of a frame are the same. */
const SAME_FRAMES = 1e-6

/** A plan of the frames from one time of the composition to before another, as a request asks for them. */
export const cutPlan = (plan: RenderPlan, { from, to }: Pick<RenderRequest, 'from' | 'to'>): RenderPlan => {
  if (from === undefined && to === undefined) return plan
  const { frames, fps, duration } = plan
  const frameAt = (text: string) => Math.ceil(readTime(text, plan) - SAME_FRAMES)
  const [start, end] = [from === undefined ? 0 : frameAt(from), to === undefined ? frames : frameAt(to)]
  const asked = [from === undefined ? '' : `from ${from}`, to === undefined ? '' : `to ${to}`]
  const last = Math.max(frames, Math.ceil(framesIn(duration, fps) - SAME_FRAMES))
  const problem =
    end > last ? 'it ends before that' : start >= Math.min(end, frames) ? 'no frame lies there' : undefined
  if (problem !== undefined)
    throw failRender('VID_RANGE_UNFIT', {
      ...{ asked: asked.join(' ').trim(), seconds: Number(duration.toFixed(3)), frames, problem },
    })
  const length = Math.min(end, frames) - start
  if (length === frames) return plan
  return { ...plan, frames: length, duration: secondsOf(length, fps), range: { start, of: frames } }
}
