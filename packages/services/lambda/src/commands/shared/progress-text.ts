import { bar, dollars, type Progress } from '@vid/command'
import type { RenderProgress } from '../../renders/render-progress.ts'

const doing = ({ totalFrames, framesRendered }: RenderProgress): string => {
  if (totalFrames === null) return 'planning'
  return framesRendered < totalFrames ? 'rendering' : 'joining'
}

/** The number of finished chunks, and why there are no more chunks; empty while the number is unknown. */
export const chunksText = ({ chunksDone, totalChunks, undividedFormat }: RenderProgress): string => {
  if (totalChunks === null) return ''
  const why = undividedFormat === null ? '' : ` (${undividedFormat} cannot be divided)`
  return `${chunksDone}/${totalChunks}${why}`
}

/** Formats the progress of a render on one line. */
export const progressText = (progress: RenderProgress): string => {
  const { overallProgress, framesRendered, totalFrames, totalChunks, lambdasInvoked, cost } = progress
  const parts = [
    `${doing(progress)} ${bar(overallProgress)} ${Math.floor(overallProgress * 100)} %`,
    totalFrames === null ? '' : `${framesRendered}/${totalFrames} frames`,
    totalChunks === null ? '' : `chunks ${chunksText(progress)}`,
    `${lambdasInvoked} ${lambdasInvoked === 1 ? 'call' : 'calls'}`,
    cost ? dollars(cost.usd) : '',
  ]
  return parts.filter(Boolean).join(', ')
}

const QUARTERS = 4

/** Shows each poll of a render on a terminal; elsewhere each stage and each quarter. */
export const createLambdaProgress = (progress: Progress) => {
  let lastStep = ''
  return (now: RenderProgress): void => {
    if (now.status !== 'RUNNING') return
    const { framesRendered, totalFrames } = now
    const quarter = totalFrames === null ? 0 : Math.floor((framesRendered / totalFrames) * QUARTERS)
    const step = `${doing(now)} ${quarter}`
    if (!progress.isLive && step === lastStep) return
    lastStep = step
    progress.show(progressText(now))
  }
}
