import { type KernelSetup, type OpenRender, type PluginOf, sequentialTarget, takesRequests } from '@vid/kernel'
import { checkRequest, type RenderPlan, type RenderRequest, type Warning } from '@vid/protocol'
import { fail } from '../errors.ts'
import { prepareRender } from '../prepare/prepare.ts'
import type { RenderSettings } from '../settings.ts'
import { formatsOf } from './join-parts.ts'
import { type PartContext, type PartOptions, withPart } from './part-context.ts'
import { placeSegment, type RenderedSegment, type SegmentPaths } from './segment-files.ts'

/** A finished segment of several; the warnings are those of all segments. */
export type PlacedSegment = Omit<RenderedSegment, 'warnings'>

/** Some segments of a plan to render, as far as possible at once. */
export interface SegmentsPart {
  readonly plan: RenderPlan
  readonly indexes: readonly number[]
  pathsOf(index: number): SegmentPaths
  /** Called with each segment as soon as its files are at their paths; all fails when it rejects. */
  onSegment?(segment: PlacedSegment): Promise<void>
}

/** Segments that are finished. */
export interface RenderedSegments {
  /** In the order of their numbers. */
  readonly segments: readonly PlacedSegment[]
  readonly warnings: readonly Warning[]
}

type PlanTarget = Exclude<PluginOf<'target'>, { readonly render: unknown }>

const planTargetOf = ({ target }: KernelSetup): PlanTarget => {
  if (takesRequests(target)) throw fail('VID_PARTS_TARGET', { target: target?.name ?? '' })
  return (target as PlanTarget | undefined) ?? (sequentialTarget as PlanTarget)
}

/** Has a target render some segments of a plan: it is given a plan that has no others, and joins nothing. */
const runTarget = async (
  run: OpenRender,
  target: PlanTarget,
  request: RenderRequest,
  { plan, indexes }: Pick<SegmentsPart, 'plan' | 'indexes'>,
  onEncoded: (...encoded: [index: number, file: Awaited<ReturnType<OpenRender['renderSegment']>>]) => Promise<void>,
): Promise<void> => {
  const segments = plan.segments.filter(({ index }) => indexes.includes(index))
  run.as(target.name, () =>
    run.hooks.execute.tapPromise(target.name, (job) =>
      target.run(job.plan, {
        ...run.context(target),
        request,
        machine: run.machine,
        lookahead: run.lookaheadOf(job.plan),
        async renderSegment(index, part) {
          const encoded = await run.renderSegment(plan, index, part)
          await onEncoded(index, encoded)
          return encoded
        },
        join: async () => ({ path: '' }),
        progress: () => {},
      }),
    ),
  )
  await run.hooks.execute.promise({ plan: { ...plan, segments }, request })
}

/** Renders some segments of a plan that was made here or on another machine, on the pages of one render. */
export const renderParts = async (
  settings: RenderSettings,
  { plan, indexes, pathsOf, onSegment }: SegmentsPart,
  parts: PartContext,
  options: PartOptions,
): Promise<RenderedSegments> => {
  options.signal.throwIfAborted()
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  const prepared = await prepareRender(settings, parts.context, { writes: false })
  const setup = parts.setupOf(prepared, options.store)
  const target = planTargetOf(setup)
  const { projectDir } = prepared
  const requests = prepared.requests.map(checkRequest)
  const request = requests.find((candidate) => formatsOf(candidate) === formatsOf(plan))
  if (!request)
    throw fail('VID_PARTS_PLAN', { wanted: requests.map(formatsOf).join(' and '), given: [formatsOf(plan)] })
  const placed: PlacedSegment[] = []
  const reports: Promise<void>[] = []
  return withPart({ setup, projectDir }, parts, { ...options, signal }, async (run) => {
    try {
      const accepted = await run.acceptPlan(plan)
      await runTarget(run, target, request, { plan: accepted, indexes }, async (index, encoded) => {
        const segment = await placeSegment(encoded, index, accepted, pathsOf(index))
        placed.push(segment)
        // Its worker takes the next segment meanwhile.
        const reported = onSegment?.(segment)
        reported?.catch((thrown: unknown) => stop.abort(thrown))
        if (reported) reports.push(reported)
      })
      await Promise.all(reports)
      if (placed.length !== indexes.length)
        throw fail('VID_PARTS_FILES', { given: placed.length, wanted: indexes.length })
      run.reportGroups()
      return {
        segments: placed.toSorted((a, b) => a.index - b.index),
        warnings: [...run.warnings],
      }
    } catch (thrown) {
      await Promise.allSettled(reports)
      throw stop.signal.aborted ? stop.signal.reason : thrown
    }
  })
}
