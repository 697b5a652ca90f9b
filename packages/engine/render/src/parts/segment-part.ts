import type { RenderPlan } from '@vid/protocol'
import { fail } from '../errors.ts'
import { prepareRender } from '../prepare/prepare.ts'
import type { RenderSettings } from '../settings.ts'
import { isSplittable, type PartContext, type PartOptions, renderWithRetries, withPart } from './part-context.ts'
import { placeSegment, type RenderedSegment, type SegmentPaths } from './segment-files.ts'

/** One segment to render. */
export interface SegmentPart {
  readonly plan: RenderPlan
  readonly index: number
  readonly paths: SegmentPaths
}

/** Renders one segment of a plan that was made here or on another machine. */
export const renderPart = async (
  settings: RenderSettings,
  { plan, index, paths }: SegmentPart,
  parts: PartContext,
  options: PartOptions,
): Promise<RenderedSegment> => {
  options.signal.throwIfAborted()
  const prepared = await prepareRender(settings, parts.context, { writes: false })
  const setup = parts.setupOf(prepared, options.store)
  if (!isSplittable(setup)) throw fail('VID_PARTS_TARGET', { target: setup.target?.name ?? '' })
  const { projectDir } = prepared
  return withPart({ setup, projectDir }, parts, options, async (run) => {
    const accepted = await run.acceptPlan(plan)
    const encoded = await renderWithRetries(run, accepted, index)
    run.reportGroups()
    return { ...(await placeSegment(encoded, index, accepted, paths)), warnings: [...run.warnings] }
  })
}
