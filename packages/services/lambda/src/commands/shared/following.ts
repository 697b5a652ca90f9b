import { createTrouble, type Progress, type Report } from '@vid/command'
import type { Prices } from '../../cost/prices.ts'
import { fail } from '../../errors.ts'
import type { Place } from '../../find-place.ts'
import { followRender } from '../../renders/follow-render.ts'
import { lambdaFailure } from '../../renders/render-failure.ts'
import { getRenderProgress, type RenderProgress } from '../../renders/render-progress.ts'
import { renderIdOf } from './place.ts'
import { createLambdaProgress } from './progress-text.ts'

/** The context of a command that follows renders. */
export interface LambdaSession {
  readonly place: Place
  readonly report: Report
  readonly progress: Progress
  readonly signal: AbortSignal
  readonly json: boolean
  /** The user's prices; undefined for the built-in ones. */
  readonly prices: Prices | undefined
  /** Memory of the function in MB; undefined for that of the stack. */
  readonly memoryMb: number | undefined
}

/** Reads the state of a render once, by its id or the ARN of its execution. */
export const readState = (
  { place, prices, memoryMb }: LambdaSession,
  idOrArn: string,
  signal: AbortSignal,
): Promise<RenderProgress> =>
  getRenderProgress({
    ...place,
    ...(idOrArn.startsWith('arn:') ? { executionArn: idOrArn } : { renderId: idOrArn }),
    ...(prices && { prices }),
    ...(memoryMb !== undefined && { memoryMb }),
    signal,
  })

/** Follows a render to its end through temporary errors, and shows its progress. */
const follow = (session: LambdaSession, idOrArn: string, pollMs: number): Promise<RenderProgress> => {
  const { report, progress, signal, json } = session
  let isAnnounced = json
  const show = createLambdaProgress(progress)
  const trouble = createTrouble(progress)
  return followRender((stop) => readState(session, idOrArn, stop), {
    signal,
    pollMs,
    onProgress(now) {
      trouble.reset()
      report.event({ type: 'lambda-progress', ...now })
      if (!isAnnounced && now.status === 'RUNNING' && now.playlistFile !== null) {
        isAnnounced = true
        report.note(`plays while it is rendered: ${now.playlistFile}`)
      }
      show(now)
    },
    onTrouble: trouble.show,
  })
}

/**
 * Follows a render to its end; rejects if it did not succeed. If the wait ends early, the error says how to continue.
 */
export const followToEnd = async (session: LambdaSession, idOrArn: string, pollMs: number): Promise<RenderProgress> => {
  const { report, progress, signal, json } = session
  const renderId = renderIdOf(idOrArn)
  const end = await follow(session, idOrArn, pollMs)
    .catch((thrown: unknown) => {
      progress.clear()
      if (signal.aborted) throw fail('VID_LAMBDA_RENDER_LEFT', { renderId }, { cause: thrown })
      if (!json) report.note(`if the render is still running, follow it with: vid lambda progress ${renderId} --wait`)
      throw thrown
    })
    .finally(progress.clear)
  if (end.status !== 'SUCCEEDED') throw lambdaFailure(end)
  return end
}
