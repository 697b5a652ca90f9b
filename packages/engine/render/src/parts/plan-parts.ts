import { randomUUID } from 'node:crypto'
import { createKernel } from '@vid/kernel'
import { checkRequest, type RenderPlan, type Warning } from '@vid/protocol'
import { fail } from '../errors.ts'
import { lintRequests, requireLint } from '../lint/lint-before-render.ts'
import { travellingDrawing } from '../prepare/drawing.ts'
import { prepareRender } from '../prepare/prepare.ts'
import type { RenderSettings } from '../settings.ts'
import { isSplittable, type PartContext, type PartOptions, type PlanOptions } from './part-context.ts'

/** The plans of a render: JSON that any machine with the same builds can render. */
export interface PlannedRender {
  /** One for each capture, in the order of their first formats. */
  readonly plans: readonly RenderPlan[]
  readonly warnings: readonly Warning[]
}

/** Creates the plans of a render; checks its files like a render, and writes none. */
export const planParts = async (
  settings: RenderSettings,
  { context, setupOf, runOptions, inSlot }: PartContext,
  { signal, onEvent, onFindings, split, renderId = randomUUID() }: PlanOptions & PartOptions,
): Promise<PlannedRender> => {
  signal.throwIfAborted()
  const { reading } = context
  const prepared = await prepareRender(settings, context, { writes: false })
  const setup = setupOf(prepared, undefined)
  if (!isSplittable(setup)) throw fail('VID_PARTS_TARGET', { target: setup.target?.name ?? '' })
  const warnings = [...prepared.warnings]
  for (const warning of warnings) onEvent?.({ type: 'warning', renderId, warning })
  if (prepared.config.render.strict) await requireLint(prepared, settings.projectDir ?? '.', { signal, reading })
  const kernel = createKernel(setup)
  const plans: RenderPlan[] = []
  for (const input of prepared.requests) {
    const request = checkRequest(input)
    const { projectDir } = request
    await inSlot(signal, async () => {
      const options = {
        projectDir,
        renderId,
        signal,
        ...runOptions(),
        ...(onEvent && { onEvent }),
        strict: request.strict,
      }
      const run = await kernel.open(options)
      try {
        run.report('plan', 0, 0)
        const { segmentFrames: length } = request
        const chosen = split && ((frames: number) => split(frames, length))
        const plan = await run.plan({ ...request, ...travellingDrawing(request) }, chosen)
        run.signal.throwIfAborted()
        plans.push(plan)
      } catch (thrown) {
        throw run.refusal() ?? thrown
      } finally {
        run.reportConsole()
        run.reportGroups()
        warnings.push(...run.warnings)
        await run.close()
      }
    })
  }
  if (onFindings) onFindings(await lintRequests(prepared, { signal, reading }).catch(() => []))
  return { plans, warnings }
}
