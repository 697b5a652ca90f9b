import type { RequestContext } from '@vid/kernel'
import type { RenderProgress } from '@vid/lambda'

/** Passes on how far a render is, never going back: a chunk that is rendered again is counted again there. */
export const createRemoteProgress = ({ progress }: Pick<RequestContext<unknown>, 'progress'>) => {
  let frames = 0
  return ({ framesRendered, totalFrames, status }: RenderProgress): void => {
    if (totalFrames === null) {
      progress({ stage: 'plan', framesRendered: 0, totalFrames: 0 })
      return
    }
    frames = Math.max(frames, framesRendered)
    const isJoining = frames >= totalFrames && status === 'RUNNING'
    progress({ stage: isJoining ? 'join' : 'render', framesRendered: frames, totalFrames })
  }
}
