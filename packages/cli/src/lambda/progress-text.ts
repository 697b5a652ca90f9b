import type { RenderProgress } from '@vid/lambda'
import type { Progress } from '../commands/render/progress.ts'
import { bar } from '../commands/render/progress.ts'

/** An amount of US dollars: to the cent, or to a hundredth of one where it is less than ten of them. */
export const dollars = (usd: number): string => `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`

const doing = ({ totalFrames, framesRendered }: RenderProgress): string => {
  if (totalFrames === null) return 'planning'
  return framesRendered < totalFrames ? 'rendering' : 'joining'
}

/** How far a render is, on one line. */
export const progressText = (progress: RenderProgress): string => {
  const { overallProgress, framesRendered, totalFrames, chunksDone, totalChunks, lambdasInvoked, cost } =
    progress
  const parts = [
    `${doing(progress)} ${bar(overallProgress)} ${Math.floor(overallProgress * 100)} %`,
    totalFrames === null ? '' : `${framesRendered}/${totalFrames} frames`,
    totalChunks === null ? '' : `${chunksDone}/${totalChunks} chunks`,
    `${lambdasInvoked} ${lambdasInvoked === 1 ? 'call' : 'calls'}`,
    cost ? dollars(cost.usd) : '',
  ]
  return parts.filter(Boolean).join(', ')
}

const QUARTERS = 4

/** Shows each look at a render on a terminal; elsewhere each stage and each quarter. */
export const createLambdaProgress = (progress: Progress) => {
  let shown = ''
  return (now: RenderProgress): void => {
    if (now.status !== 'RUNNING') return
    const { framesRendered, totalFrames } = now
    const quarter = totalFrames === null ? 0 : Math.floor((framesRendered / totalFrames) * QUARTERS)
    const step = `${doing(now)} ${quarter}`
    if (!progress.isLive && step === shown) return
    shown = step
    progress.show(progressText(now))
  }
}
