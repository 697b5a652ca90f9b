import type { CloudRecord, RequestContext } from '@vid/kernel'

/** Passes on what the records of a render say, never going back: a part that is rendered again is counted again there. */
export const createRemoteProgress = ({ progress }: Pick<RequestContext<unknown>, 'progress'>) => {
  let frames = 0
  return ({ status, frames_rendered: rendered, total_frames: totalFrames }: CloudRecord): void => {
    if (status === 'queued' && frames === 0) progress({ stage: 'plan', framesRendered: 0, totalFrames: 0 })
    if (status !== 'rendering' || rendered < frames) return
    frames = rendered
    progress({ stage: 'render', framesRendered: rendered, totalFrames })
  }
}
