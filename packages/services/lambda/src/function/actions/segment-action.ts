import { join } from 'node:path'
import { putObject } from '@vid/s3'
import { digestOf } from '@vid/system'
import type { ChunkResult, SegmentEvent } from '../../contract/action-events.ts'
import type { ChunkRecord, KeptSegment } from '../../contract/chunk-records.ts'
import { segmentsOfChunk } from '../../contract/chunks.ts'
import { renderKeys } from '../../contract/object-keys.ts'
import { fail } from '../../errors.ts'
import { type CallRun, plainWarning } from '../call-run.ts'
import { withClaims } from '../claims.ts'
import { keepsSegments } from '../function-config.ts'
import { withProject } from '../project.ts'
import { readPlanned } from '../references.ts'
import { keepSegment } from '../segment-objects.ts'
import { segmentCache } from '../segment-store.ts'
import { removingLateWork } from '../work-objects.ts'
import { withVariables } from './plan-action.ts'

/** Renders the segments of one chunk, and stores each in the bucket as soon as it is finished. */
export const runSegment = (event: SegmentEvent, run: CallRun): Promise<ChunkResult> =>
  removingLateWork(run.place, event.renderId, () => renderChunk(event, run))

const renderChunk = async (event: SegmentEvent, run: CallRun): Promise<ChunkResult> => {
  const { place, signal, workDir, tally } = run
  const { renderId, chunk, chunks } = event
  const { input, plan } = await readPlanned(place, event)
  if (chunk >= chunks || chunks > plan.segments.length)
    throw fail('VID_LAMBDA_EVENT', {
      what: 'the event "segment"',
      problems: [`there is no chunk ${chunk} of ${chunks} in ${plan.segments.length} segments`],
    })
  const indexes = segmentsOfChunk(plan.segments.length, chunks, chunk)
  const pathOf = (index: number) => join(workDir, `segment-${index}`)
  const references: KeptSegment[] = []
  const reuse = input.reuse && (await keepsSegments(run.environment, input.request))
  const rendered = await withClaims(plan, indexes, { ...input, reuse }, run, async () =>
    withProject(run, await withVariables(input, place), async (settings) => {
      const renderer = await run.renderer()
      return renderer.renderSegments(
        settings,
        {
          plan,
          indexes,
          pathsOf: (index) => [pathOf(index)],
          async onSegment(segment) {
            const { index, frames, reused } = segment
            references.push(await keepSegment(place, renderId, segment, pathOf(index), signal))
            tally.frames += frames
            if (reused !== undefined) tally.reusedFrames += frames
          },
        },
        { signal, renderId, store: segmentCache(place)() },
      )
    }),
  )
  const record: ChunkRecord = {
    renderId,
    plan: event.plan.sha256,
    chunk,
    segments: references.toSorted((a, b) => a.index - b.index),
    warnings: rendered.warnings.map(plainWarning),
  }
  const text = JSON.stringify(record)
  const sha256 = digestOf(text)
  await putObject(place, renderKeys(renderId).chunk(chunk, sha256), text, { type: 'application/json' })
  return { chunk, sha256 }
}
