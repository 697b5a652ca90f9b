import type { ErrorData } from '@vid/protocol'
import { codedError } from '@vid/render'
import { runPool } from '@vid/system'
import type { Place } from '../../find-place.ts'
import { renderToLambda } from '../../render-to-lambda.ts'
import type { RenderConfig } from '../../renders/config-schema.ts'
import type { BatchLine } from './batch-lines.ts'

/** The outcome of a line. */
export interface LineOutcome {
  /** Counted from 1. */
  readonly inputLine: number
  readonly outputKey: string
  readonly executionArn: string | null
  readonly status: 'started' | 'would-invoke' | 'failed-to-start'
  readonly error?: ErrorData
}

/** The common settings of a batch's renders. */
export interface BatchStart {
  readonly siteId: string
  readonly batchId: string
  readonly config: RenderConfig
  readonly place: Place
  /** Number of renders that are started concurrently. */
  readonly maxConcurrent: number
  readonly signal: AbortSignal
  /** Called with the number of finished lines. */
  onProgress(count: number): void
}

/**
 * Starts a render for each line; a line that cannot be started becomes a row with its error. No further line starts
 * after an abort.
 */
export const startLines = async (
  lines: readonly BatchLine[],
  { siteId, batchId, config, place, maxConcurrent, signal, onProgress }: BatchStart,
): Promise<readonly LineOutcome[]> => {
  const rows: LineOutcome[] = []
  const start = async ({ inputLine, outputKey, variables }: BatchLine): Promise<LineOutcome> => {
    try {
      signal.throwIfAborted()
      // Not aborted by the signal: the outcome of a line that is being started must be known.
      const { executionArn } = await renderToLambda({
        ...place,
        siteHandle: siteId,
        outputKey,
        batchId,
        config: { ...config, variables },
      })
      return { inputLine, outputKey, executionArn, status: 'started' }
    } catch (thrown) {
      const error = codedError(thrown, signal).toJSON()
      return { inputLine, outputKey, executionArn: null, status: 'failed-to-start', error }
    }
  }
  let count = 0
  // Continues after an abort, because every line has a row.
  await runPool(lines.entries(), maxConcurrent, new AbortController().signal, async ([index, line]) => {
    rows[index] = await start(line)
    count += 1
    onProgress(count)
  })
  return rows
}
