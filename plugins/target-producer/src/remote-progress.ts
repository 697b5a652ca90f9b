import type { ProducerEvent, RequestContext } from '@vid/kernel'

const STAGES = ['plan', 'render', 'join'] as const

/** Passes on what a server reports, never going back: after its restart, it counts from the beginning again. */
export const createRemoteProgress = ({ queued, progress }: Pick<RequestContext<unknown>, 'queued' | 'progress'>) => {
  let stageIndex = 0
  let frames = 0
  return (event: ProducerEvent): void => {
    if (event.type === 'queued') queued(event.position)
    if (event.type !== 'progress') return
    const { framesRendered, totalFrames } = event
    const stage = STAGES.find((name) => name === event.stage)
    const index = stage === undefined ? -1 : STAGES.indexOf(stage)
    if (stage === undefined || index < stageIndex || framesRendered < frames) return
    stageIndex = index
    frames = framesRendered
    progress({ stage, framesRendered, totalFrames })
  }
}
