import { INDEX_PLAYLIST, parseAs, type Static, Type } from '@vid/protocol'
import { type LambdaResult, LambdaResultSchema } from '../contract/action-events.ts'
import type { CallRecord } from '../contract/call-records.ts'
import { countChunks } from '../contract/chunks.ts'
import { ChunkSettingsSchema } from '../contract/execution-input.ts'
import { DEFAULT_FORMAT } from '../contract/formats.ts'
import { bucketProblems } from '../contract/places.ts'
import { type ActualCost, costOfCalls } from '../cost/actual-cost.ts'
import { knownPrices } from '../cost/known-prices.ts'
import type { Prices } from '../cost/prices.ts'
import { refuseProblems } from '../invalid-config.ts'
import { listCalls } from './call-list.ts'
import { type CallSummary, shareDone, summarizeCalls } from './call-summary.ts'
import { describeExecution, findExecution, type RenderPlace, withStepFunctions } from './executions.ts'
import { errorsOfExecution, type RenderError } from './render-errors.ts'
import { hasStream, type RenderBucket } from './render-result.ts'
import { type RenderStatus, renderStatusOf } from './status.ts'

/** Selects a render, with the values that its cost depends on. */
export interface RenderProgressOptions extends RenderPlace {
  /** Output `RenderBucketName` of the stack. */
  readonly bucketName: string
  /** Custom prices in place of the list prices. */
  readonly prices?: Prices
  /** Memory of the function in MB; the stack's default if left out. */
  readonly memoryMb?: number
  /** Size of the function's /tmp in MB; the stack's default if left out. */
  readonly storageMb?: number
}

/** The progress of a render. */
export interface RenderProgress {
  readonly renderId: string
  readonly executionArn: string
  readonly status: RenderStatus
  /** From 0 to 1; never decreases while the render runs. */
  readonly overallProgress: number
  readonly framesRendered: number
  /** How many of them were reused from earlier renders. */
  readonly framesReused: number
  /** Null until the render is planned. */
  readonly totalFrames: number | null
  readonly chunksDone: number
  /** Null until the render is planned, and after the records of its calls have expired. */
  readonly totalChunks: number | null
  /**
   * Format that cannot be joined from segments, so that one call renders all frames although more chunks were
   * requested; otherwise null.
   */
  readonly undividedFormat: string | null
  /** Number of calls of the function so far. */
  readonly lambdasInvoked: number
  /** The cost so far; null if the region has no prices, or the records of the calls have expired. */
  readonly cost: ActualCost | null
  /** Its format. */
  readonly format: string
  /**
   * `s3://bucket/key` of the playlist that players open, of an hls video; null until its first segment is there. A
   * video that is published while it is rendered keeps what players have seen if the render fails.
   */
  readonly playlistFile: string | null
  /** `s3://bucket/key` of the result; null until it exists. */
  readonly outputFile: string | null
  /** The result of the render; null until it has succeeded. */
  readonly result: LambdaResult | null
  /** Errors so far, even if another attempt succeeded. */
  readonly errors: readonly RenderError[]
  /** ISO 8601. */
  readonly startedAt: string
  /** ISO 8601; null while it runs. */
  readonly endedAt: string | null
}

const resultOf = (output: string | undefined): LambdaResult | null => parseAs(LambdaResultSchema, output ?? '') ?? null

const OrderSchema = Type.Object({
  chunks: ChunkSettingsSchema,
  outputKey: Type.Optional(Type.String()),
  growing: Type.Optional(Type.Boolean()),
  request: Type.Object({ format: Type.Optional(Type.String()) }),
})
type Order = Static<typeof OrderSchema>

/** The format that prevents a render from having as many chunks as its input requests. */
const undividedFormatOf = (
  order: Order | undefined,
  { totalFrames, totalChunks }: Pick<CallSummary, 'totalFrames' | 'totalChunks'>,
): string | null => {
  if (totalFrames === null || totalChunks !== 1 || !order) return null
  const { chunks, request } = order
  return countChunks(totalFrames, chunks) > 1 ? (request.format ?? DEFAULT_FORMAT) : null
}

/** The address of the playlist that players open; null if the video is not there, or is no stream. */
const playlistOf = async (
  order: Order | undefined,
  { result, renderId, ...bucket }: RenderBucket & Pick<RenderProgress, 'renderId' | 'result'>,
): Promise<string | null> => {
  if (order?.request.format !== 'hls' || order.outputKey === undefined) return null
  const key = `${order.outputKey}/${INDEX_PLAYLIST}`
  const isThere = result !== null || (order.growing === true && (await hasStream(bucket, renderId)))
  return isThere ? `s3://${bucket.bucketName}/${key}` : null
}

interface Times {
  readonly status: RenderStatus
  readonly endedAt: Date | undefined
}

const costSoFar = (
  records: readonly CallRecord[],
  { status, endedAt }: Times,
  options: RenderProgressOptions & { readonly region: string },
): ActualCost | null => {
  const { region, prices = knownPrices, memoryMb, storageMb } = options
  // The bucket's lifecycle rules have removed them.
  if (records.length === 0 && endedAt !== undefined) return null
  if (!Object.hasOwn(prices.regions, region)) return null
  return costOfCalls(records, {
    region,
    prices,
    now: new Date(),
    ...(memoryMb !== undefined && { memoryMb }),
    ...(storageMb !== undefined && { storageMb }),
    ...(endedAt && status !== 'ABORTED' && { endedAt }),
  })
}

const shareOf = (status: RenderStatus, summary: CallSummary): number =>
  status === 'SUCCEEDED' ? 1 : shareDone(summary)

/** Reads the progress, the cost and the errors of a render. */
export const getRenderProgress = async (options: RenderProgressOptions): Promise<RenderProgress> => {
  refuseProblems(bucketProblems(options.bucketName))
  const execution = findExecution(options)
  const { renderId, executionArn, region } = execution
  const { bucketName, signal } = options
  return withStepFunctions(execution, async (client) => {
    const details = await describeExecution(client, execution, signal)
    const records = await listCalls({ bucketName, region }, renderId, signal)
    const status = renderStatusOf(details.status)
    const summary = summarizeCalls(records)
    const order = parseAs(OrderSchema, details.input ?? '')
    const result = status === 'SUCCEEDED' ? resultOf(details.output) : null
    const totalFrames = result?.frames ?? summary.totalFrames
    const { totalChunks } = summary
    const hasFailed = status !== 'RUNNING' && status !== 'SUCCEEDED'
    const ofCalls = summary.failures.map((failure) => ({ ...failure, cause: '' }))
    return {
      renderId,
      executionArn,
      status,
      overallProgress: shareOf(status, summary),
      framesRendered: result?.frames ?? summary.framesRendered,
      framesReused: summary.reusedFrames,
      totalFrames,
      totalChunks,
      undividedFormat: undividedFormatOf(order, summary),
      chunksDone: result && totalChunks !== null ? totalChunks : summary.chunksDone,
      lambdasInvoked: summary.calls,
      cost: costSoFar(records, { status, endedAt: details.stopDate }, { ...options, region }),
      format: order?.request.format ?? DEFAULT_FORMAT,
      playlistFile: await playlistOf(order, { bucketName, region, renderId, result, signal }),
      outputFile: result ? `s3://${bucketName}/${result.outputKey}` : null,
      result,
      errors: hasFailed ? await errorsOfExecution(client, execution, details, signal) : ofCalls,
      startedAt: (details.startDate ?? new Date(0)).toISOString(),
      endedAt: details.stopDate?.toISOString() ?? null,
    }
  })
}
