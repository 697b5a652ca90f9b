import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { schemaProblems, secondsOf, type Warning } from '@vid/kernel'
import type { SegmentPaths } from '@vid/render'
import { exists, listObjects, putObject, readText, removeObjects, type S3Bucket, uploadFile } from '@vid/s3'
import { digestFile, digestFolder, runPool } from '@vid/system'
import { type AssembleEvent, type LambdaResult, RenderResultSchema } from '../../contract/action-events.ts'
import { ChunkRecordSchema, type KeptSegment } from '../../contract/chunk-records.ts'
import { renderKeys } from '../../contract/object-keys.ts'
import { fail } from '../../errors.ts'
import { type CallRun, plainWarning } from '../call-run.ts'
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
  await runPool(results, FETCHED_AT_ONCE, signal, async ({ chunk, sha256 }) => {
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

/** Stores the result under its key: a file, or the files of a folder below it. */
const deliver = async (
  path: string,
  outputKey: string,
  { place, signal }: CallRun,
): Promise<Pick<LambdaResult, 'bytes' | 'sha256' | 'files'>> => {
  if (!(await stat(path)).isDirectory()) {
    const sha256 = await digestFile(path, signal)
    await uploadFile(place, outputKey, path)
    return { sha256, bytes: (await stat(path)).size }
  }
  const names = await readdir(path)
  const digests = new Map<string, string>()
  let bytes = 0
  await runPool(names, FETCHED_AT_ONCE, signal, async (name) => {
    const file = join(path, name)
    digests.set(name, await digestFile(file, signal))
    bytes += (await stat(file)).size
    await uploadFile(place, `${outputKey}/${name}`, file)
  })
  return { bytes, files: names.length, sha256: digestFolder(digests) }
}

/** Removes the surplus files of an earlier, longer image sequence at the same key. */
const removeLonger = async (outputKey: string, names: readonly string[], { place }: CallRun): Promise<void> => {
  const ofNumbers = (name: string) => name.replace(/\d+/g, '#')
  const current = new Set(names)
  const kinds = new Set(names.map(ofNumbers))
  const old: string[] = []
  for await (const { key } of listObjects(place, `${outputKey}/`)) {
    const name = key.slice(outputKey.length + 1)
    if (!current.has(name) && kinds.has(ofNumbers(name))) old.push(key)
  }
  await removeObjects(place, old)
}

/** The result of an earlier call whose reply was lost; undefined if the render has none, or its output is gone. */
const earlierResult = async ({ renderId, plan }: AssembleEvent, place: S3Bucket): Promise<LambdaResult | undefined> => {
  const text = await readText(place, renderKeys(renderId).result, MAX_RESULT_BYTES)
  if (text === undefined) return undefined
  const record = JSON.parse(text) as { readonly plan?: string; readonly result?: unknown }
  if (record.plan !== plan.sha256 || schemaProblems(RenderResultSchema, record.result).length > 0) return undefined
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
  const allWarnings = [...state.warnings, ...warnings, ...outcome.warnings.map(plainWarning)]
  const distinct = [...new Map(allWarnings.map((warning) => [`${warning.code}\n${warning.message}`, warning])).values()]
  const delivered = await deliver(path, input.outputKey, run)
  if (delivered.files !== undefined) await removeLonger(input.outputKey, await readdir(path), run)
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
