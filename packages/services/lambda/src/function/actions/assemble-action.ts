import { join } from 'node:path'
import { schemaProblems, secondsOf, type Warning } from '@vid/protocol'
import type { SegmentPaths } from '@vid/render'
import { exists, putObject, readObjectText, type S3Bucket } from '@vid/s3'
import { runPool } from '@vid/system'
import { type AssembleEvent, type LambdaResult, LambdaResultSchema } from '../../contract/action-events.ts'
import { ChunkRecordSchema, type KeptSegment } from '../../contract/chunk-records.ts'
import { renderKeys } from '../../contract/object-keys.ts'
import { fail } from '../../errors.ts'
import { lambdaWarning } from '../../warnings.ts'
import { type CallRun, plainWarning } from '../call-run.ts'
import { deliverResult } from '../deliver-result.ts'
import { checkSpace } from '../fit.ts'
import { withProject } from '../project.ts'
import { type PlannedState, readPlanned, readReference } from '../references.ts'
import { fetchSegment } from '../segment-objects.ts'
import { removeWork } from '../work-objects.ts'
import { withVariables } from './plan-action.ts'

const FETCHED_AT_ONCE = 8
const MAX_RESULT_BYTES = 2 ** 22

/** Reads the segments of all chunks in order, with their warnings; fails if one is missing. */
const readChunks = async (
  { renderId, results, plan: { sha256: planDigest } }: AssembleEvent,
  { plan }: PlannedState,
  place: S3Bucket,
): Promise<{ readonly segments: readonly KeptSegment[]; readonly warnings: readonly Warning[] }> => {
  const keys = renderKeys(renderId)
  const segments: KeptSegment[] = []
  const warnings: Warning[] = []
  const signal = place.signal ?? new AbortController().signal
  const chunks = results.filter((result) => 'chunk' in result)
  await runPool(chunks, FETCHED_AT_ONCE, signal, async ({ chunk, sha256 }) => {
    const key = keys.chunk(chunk, sha256)
    const record = await readReference(place, { key, sha256 }, key, ChunkRecordSchema)
    if (record.renderId !== renderId || record.plan !== planDigest || record.chunk !== chunk)
      throw fail('VID_LAMBDA_ALTERED', { key, problem: 'it belongs to another render' })
    segments.push(...record.segments)
    warnings.push(...record.warnings)
  })
  segments.sort((a, b) => a.index - b.index)
  const isComplete =
    segments.length === plan.segments.length && segments.every(({ index }, position) => index === position)
  if (!isComplete)
    throw fail('VID_LAMBDA_EVENT', {
      what: 'the event "assemble"',
      problems: [`its chunks have ${segments.length} segments; the plan has ${plan.segments.length}`],
    })
  return { segments, warnings }
}

/** Warns of a video that was not published as far as it was rendered. */
const publishWarnings = ({ results }: AssembleEvent, { plan }: PlannedState): readonly Warning[] =>
  results.flatMap((result) => {
    if (!('published' in result) || result.problem === undefined) return []
    const { published } = result
    const problem = result.problem.replace(/\.$/, '')
    return [lambdaWarning('VID_LAMBDA_UNPUBLISHED', { published, segments: plan.segments.length, problem })]
  })

/** The result of an earlier call whose reply was lost; undefined if the render has none, or its output is gone. */
const earlierResult = async ({ renderId, plan }: AssembleEvent, place: S3Bucket): Promise<LambdaResult | undefined> => {
  const text = await readObjectText(place, renderKeys(renderId).result, MAX_RESULT_BYTES)
  if (text === undefined) return undefined
  const record = JSON.parse(text) as { readonly plan?: string; readonly result?: unknown }
  if (record.plan !== plan.sha256 || schemaProblems(LambdaResultSchema, record.result).length > 0) return undefined
  const result = record.result as LambdaResult
  return result.files !== undefined || (await exists(place, result.outputKey)) ? result : undefined
}

/** Joins the segments of a render, verifies the result, stores it under its key, and removes the work objects. */
export const runAssemble = async (event: AssembleEvent, run: CallRun): Promise<LambdaResult> => {
  const { place, signal, workDir, tally } = run
  const { renderId } = event
  const earlier = await earlierResult(event, place)
  if (earlier) {
    tally.frames = earlier.frames
    // The earlier call may have been killed before it finished this.
    await removeWork(place, renderId)
    return earlier
  }
  const state = await readPlanned(place, event)
  const { input, plan } = state
  const { segments, warnings } = await readChunks(event, state, place)
  await checkSpace(segments, run.environment.tempDir)
  const pathOf = ({ index }: KeptSegment) => join(workDir, `segment-${index}`)
  await runPool(segments, FETCHED_AT_ONCE, signal, (segment, taskSignal) =>
    fetchSegment(place, renderId, segment, pathOf(segment), taskSignal),
  )
  const outcome = await withProject(run, await withVariables(input, place), async (settings) => {
    const renderer = await run.renderer()
    const paths = segments.map((segment): SegmentPaths => [pathOf(segment)])
    return renderer.joinSegments({ ...settings, strict: false }, [{ plan, segments: paths }], {
      signal,
      renderId,
    })
  })
  const path = outcome.files[0]?.path ?? ''
  const publishing = publishWarnings(event, state)
  const allWarnings = [...state.warnings, ...publishing, ...warnings, ...outcome.warnings.map(plainWarning)]
  const distinct = [...new Map(allWarnings.map((warning) => [`${warning.code}\n${warning.message}`, warning])).values()]
  const delivered = await deliverResult(path, input, run)
  const result: LambdaResult = {
    renderId,
    outputKey: input.outputKey,
    ...delivered,
    frames: plan.frames,
    durationMs: Math.round(secondsOf(plan.frames, plan.fps) * 1000),
    width: plan.width,
    height: plan.height,
    warnings: distinct.length,
  }
  const record = { plan: event.plan.sha256, result, warnings: distinct }
  await putObject(place, renderKeys(renderId).result, JSON.stringify(record), { type: 'application/json' })
  tally.frames = plan.frames
  await removeWork(place, renderId)
  return result
}
