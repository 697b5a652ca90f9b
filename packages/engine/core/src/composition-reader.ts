import { definePlugin, frameRange, type PlanContext, type Probe, readHere } from '@vid/kernel'
import { type RenderPlan, secondsOf, shapeList } from '@vid/protocol'
import { fail } from './errors.ts'
import { hostIssuePlace } from './nesting/nested-host.ts'
import { planTextTask, type ReadEntry, readCompositionTask } from './read-tasks.ts'
import { requireDuration, requireFrames } from './source/parse.ts'
import { planChapters } from './timing/plan-chapters.ts'
import { issueWarnings, type PlacedIssue } from './variables/issue-warnings.ts'
import { resolveVariables } from './variables/variables.ts'

/** Warns of values that do not fit; with strict checking, throws one error for all of them. */
const report = (context: PlanContext, issues: readonly PlacedIssue[]): void => {
  for (const warning of issueWarnings(issues, context.request.strictVariables)) context.warn(warning)
}

/** The chapters of the part of a composition that is rendered. */
const chaptersOf = (
  plan: Pick<RenderPlan, 'duration' | 'frames' | 'fps'>,
  request: PlanContext['request'],
  { chapters = [] }: Probe,
): NonNullable<RenderPlan['chapters']> => {
  if (chapters.length === 0) return []
  const { start, length } = frameRange(plan, request)
  return planChapters(chapters, { start: secondsOf(start, plan.fps), end: secondsOf(start + length, plan.fps) })
}

/** Reads the composition of a render: variables with their defaults, and the plan's size, duration and digest. */
export const compositionReader = definePlugin({
  name: '@vid/core',
  setup(hooks) {
    const reads = new WeakMap<PlanContext, Promise<ReadEntry>>()
    const read = (context: PlanContext) => {
      const { request, signal, reading = readHere } = context
      const { projectDir, entry, shapes: shape } = request
      if (shapeList(shape).length > 1) throw fail('VID_SHAPES_APART', { shapes: String(shape) })
      const composition = reads.get(context) ?? reading(readCompositionTask, { projectDir, entry, shape }, signal)
      reads.set(context, composition)
      return composition
    }

    // Late, so that values from other plugins are also checked.
    hooks.resolve.tapPromise({ name: '@vid/core', stage: 100 }, async (overrides, context) => {
      const { composition } = await read(context)
      const { values, issues } = resolveVariables(composition.declarations, overrides)
      report(
        context,
        issues.map((issue) => ({ issue, place: '' })),
      )
      return values
    })

    // Early, so that other plugins receive a complete plan.
    hooks.plan.tapPromise({ name: '@vid/core', stage: -100 }, async (draft, context) => {
      const { composition, html, digest: entryDigest } = await read(context)
      const { signal, reading = readHere } = context
      const { file, id, root, width, height } = composition
      const { projectDir, shapes: shape } = context.request
      const text = { projectDir, entry: file, html, digest: entryDigest }
      const { issues, digest } = await reading(planTextTask, text, signal)
      report(
        context,
        issues.map((entry) => ({ issue: entry.issue, place: hostIssuePlace(entry) })),
      )
      const page = {
        ...draft,
        composition: { ...draft.composition, entry: file, id, ...(shape !== undefined && { shape }), digest },
        width,
        height,
        // The duration in the source text limits how far the probe looks.
        ...(composition.duration && { frames: requireFrames(composition.duration, draft.fps, root) }),
      }
      const probe = await context.probe(page)
      if (probe.unseen !== undefined) throw fail('VID_COMPOSITION_ROOT_UNSEEN', { ...root, reason: probe.unseen })
      const seconds = composition.duration ?? probe.duration
      const length = seconds === null ? 'an unknown time' : `${seconds} seconds by its page`
      const duration = requireDuration(seconds, length, root)
      const frames = requireFrames(duration, draft.fps, root)
      const chapters = chaptersOf({ ...page, duration, frames }, context.request, probe)
      return {
        ...page,
        composition: {
          ...page.composition,
          stateful: probe.stateful,
          ...(probe.drawsWebgl && { drawsWebgl: true }),
        },
        duration,
        frames,
        ...(chapters.length > 0 && { chapters }),
      }
    })
  },
})
