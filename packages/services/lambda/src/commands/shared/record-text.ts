import { dollars } from '@vid/command'
import { printable } from '@vid/protocol'
import { failureText } from '../../renders/failure-text.ts'
import type { RenderProgress } from '../../renders/render-progress.ts'
import { chunksText } from './progress-text.ts'

/** Formats the state of a render, one line for each available value. */
export const renderStateText = (progress: RenderProgress): string => {
  const { framesRendered, totalFrames, overallProgress, lambdasInvoked, cost, errors, ...values } = progress
  const fields: readonly (readonly [string, unknown])[] = [
    ['renderId', values.renderId],
    ['status', values.status],
    ['progress', `${Math.floor(overallProgress * 100)} %`],
    ['frames', totalFrames === null ? null : `${framesRendered}/${totalFrames}`],
    ['chunks', chunksText(progress) || null],
    ['calls', lambdasInvoked],
    ['cost', cost && dollars(cost.usd)],
    ['playlistFile', values.playlistFile],
    ['outputFile', values.outputFile],
    ['startedAt', values.startedAt],
    ['endedAt', values.endedAt],
    ['executionArn', values.executionArn],
    ...errors.map((error) => ['error', failureText(error)] as const),
  ]
  return fields
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name.padEnd(13)} ${printable(String(value))}`)
    .join('\n')
}
