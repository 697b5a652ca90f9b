import {
  createKernel,
  isVidError,
  type RenderRequestInput,
  type RenderResult,
  type RunOptions,
  render,
  type Warning,
} from '@vid/kernel'
import type { Setup } from '../setup.ts'
import { holdBack, type Turn } from './capture-turns.ts'
import type { PlannedRow } from './plan-batch.ts'

/** A shared browser may end before a row has anything that could be tried again by itself. */
const BROWSER_ENDED = 'VID_BROWSER_CRASHED'

type RowOptions = Pick<RunOptions, 'signal' | 'shared' | 'onEvent'> & {
  readonly signal: AbortSignal
  warn(warning: Warning): void
}

/**
 * Renders the outputs of one row, each once the row has its turn to capture, and all of it once more when its browser
 * ended. The time of the result is without the waiting for turns.
 */
export const renderRow = async (
  { kernel: { setup } }: Setup,
  { index, requests }: PlannedRow,
  turn: Turn,
  share: Pick<RenderRequestInput, 'workers'>,
  { warn, ...options }: RowOptions,
): Promise<RenderResult> => {
  const kernel = createKernel({ ...setup, plugins: [...(setup.plugins ?? []), holdBack(turn)] })
  const once = async (): Promise<RenderResult> => {
    const waitedMs = turn.waitedMs()
    const results = []
    for (const request of requests) results.push(await render(kernel, { ...request, ...share }, options))
    turn.pass()
    const [first] = results as [RenderResult, ...RenderResult[]]
    const wholeMs = results.reduce((sum, { renderTimeMs }) => sum + renderTimeMs, 0)
    return { ...first, renderTimeMs: Math.max(0, Math.round(wholeMs - (turn.waitedMs() - waitedMs))) }
  }
  return once().catch((thrown: unknown) => {
    if (!isVidError(thrown) || thrown.code !== BROWSER_ENDED || options.signal.aborted) throw thrown
    warn({ code: 'VID_ROW_RETRIED', message: `row ${index} is rendered again: ${thrown.message}` })
    return once()
  })
}
