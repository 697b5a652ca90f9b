import { prepareRender } from '../prepare/prepare.ts'
import type { RenderOutcome } from '../run/render.ts'
import type { RenderSettings } from '../settings.ts'
import { type FinishedPlan, joinParts } from './join-parts.ts'
import { isSplittable, type PartContext, type PlanOptions, type RendererCallOptions } from './part-context.ts'
import { type PlannedRender, planParts } from './plan-parts.ts'
import { type PublishPart, publishParts } from './publish-part.ts'
import type { RenderedSegment } from './segment-files.ts'
import { renderPart, type SegmentPart } from './segment-part.ts'
import { type RenderedSegments, renderParts, type SegmentsPart } from './segments-part.ts'

/** A render in parts that several machines do. */
export interface RendererParts {
  /** Whether a render can be done in parts: its target does not take requests whole. */
  canSplit(settings: RenderSettings): Promise<boolean>
  /** The first part: the plans, as JSON. */
  planRender(settings: RenderSettings, options?: PlanOptions): Promise<PlannedRender>
  /** The second part, once for each segment, on any machine with the same project and builds. */
  renderSegment(settings: RenderSettings, part: SegmentPart, options?: RendererCallOptions): Promise<RenderedSegment>
  /** The second part for several segments, with as many workers at once as a whole render would have. */
  renderSegments(settings: RenderSettings, part: SegmentsPart, options?: RendererCallOptions): Promise<RenderedSegments>
  /** Beside the second part: publishes segments that are finished, for players; ends with the last one that is given. */
  publishSegments(settings: RenderSettings, part: PublishPart, options?: RendererCallOptions): Promise<void>
  /** The last part: joins and verifies, and delivers to the output of the settings. */
  joinSegments(
    settings: RenderSettings,
    plans: readonly FinishedPlan[],
    options?: RendererCallOptions,
  ): Promise<RenderOutcome>
}

/** Creates the parts of a renderer; `run` starts one with the signal that stops it, and codes its errors. */
export const createParts = (
  parts: PartContext,
  run: <T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>) => Promise<T>,
): RendererParts => ({
  canSplit: async (settings) => isSplittable((await prepareRender(settings, parts.context)).kernel.setup),
  planRender: (settings, options = {}) =>
    run(options.signal, (signal) => planParts(settings, parts, { ...options, signal })),
  renderSegment: (settings, part, options = {}) =>
    run(options.signal, (signal) => renderPart(settings, part, parts, { ...options, signal })),
  renderSegments: (settings, part, options = {}) =>
    run(options.signal, (signal) => renderParts(settings, part, parts, { ...options, signal })),
  publishSegments: (settings, part, options = {}) =>
    run(options.signal, (signal) => publishParts(settings, part, parts, { ...options, signal })),
  joinSegments: (settings, plans, options = {}) =>
    run(options.signal, (signal) => joinParts(settings, plans, parts, { ...options, signal })),
})
