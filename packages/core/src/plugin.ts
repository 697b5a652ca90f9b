import { definePlugin, type PlanContext } from '@vid/kernel'
import { fail } from './errors.ts'
import { type LoadedComposition, loadComposition } from './load.ts'
import { frameCount } from './numbers.ts'
import { requireDuration } from './parse.ts'
import { resolveStarts } from './start-time.ts'
import { describeIssue, resolveVariables, type VariableIssue } from './variables.ts'

const warningOf = (issue: VariableIssue) => ({
  code: `VID_VARIABLE_${issue.kind.toUpperCase().replaceAll('-', '_')}`,
  message: describeIssue(issue),
  hint: 'Correct the value, or declare it in data-composition-variables.',
})

/** Gives a render its composition: variables over their defaults, and the plan's size, length and digest. */
export const compositionReader = definePlugin({
  name: '@vid/core',
  setup(hooks) {
    const reads = new WeakMap<PlanContext, Promise<LoadedComposition>>()
    const read = (context: PlanContext) => {
      const { request, signal } = context
      const known = reads.get(context) ?? loadComposition(request.projectDir, request.entry, { signal })
      reads.set(context, known)
      return known
    }

    // Late, so that values from other plugins are checked too.
    hooks.resolve.tapPromise({ name: '@vid/core', stage: 100 }, async (overrides, context) => {
      const { composition } = await read(context)
      const { values, issues } = resolveVariables(composition.declarations, overrides)
      if (context.request.strictVariables && issues.length > 0)
        throw fail('VID_VARIABLES_STRICT', { issues: issues.map(describeIssue) })
      for (const issue of issues) context.warn(warningOf(issue))
      return values
    })

    // Early, so that other plugins change a plan that is filled in.
    hooks.plan.tapPromise({ name: '@vid/core', stage: -100 }, async (draft, context) => {
      const { composition, digest } = await read(context)
      const { file, id, root, width, height } = composition
      for (const { clips } of composition.scopes) resolveStarts(clips, file)
      const page = {
        ...draft,
        composition: { ...draft.composition, entry: file, id, digest },
        width,
        height,
      }
      const probe = await context.probe(page)
      const seconds = composition.duration ?? probe.duration
      const written = seconds === null ? 'an unknown time' : `${seconds} seconds by its page`
      const duration = requireDuration(seconds, written, root)
      return {
        ...page,
        composition: { ...page.composition, stateful: probe.stateful },
        duration,
        frames: frameCount(duration, draft.fps),
      }
    })
  },
})
