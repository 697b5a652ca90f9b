import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  isVidError,
  type RenderEvent,
  type RenderPlan,
  type RenderRequest,
  RenderRequestSchema,
  type RenderResult,
  schemaProblems,
  Value,
} from '@vid/protocol'
import type { Kernel, OpenRender } from './kernel.ts'
import { fail } from './kernel-errors.ts'
import { blame } from './watch.ts'

/** A request as a caller writes it: what has a default may be left out. */
export type RenderRequestInput = Pick<RenderRequest, 'projectDir' | 'output'> & Partial<RenderRequest>

/** Fills in defaults and refuses what does not fit, naming every wrong value at once. */
export const checkRequest = (input: RenderRequestInput): RenderRequest => {
  const request = Value.Default(RenderRequestSchema, structuredClone(input))
  const problems = schemaProblems(RenderRequestSchema, request)
  const { crf, videoBitrate } = request as RenderRequest
  if (crf !== undefined && videoBitrate !== undefined)
    problems.push(`crf ${crf} and videoBitrate ${videoBitrate} cannot be combined`)
  if (problems.length > 0) throw fail('VID_REQUEST_INVALID', { problems })
  return request as RenderRequest
}

/** Bytes of a file, or of all files directly in a folder. */
const sizeOf = async (path: string): Promise<number> => {
  const own = await stat(path)
  if (own.isFile()) return own.size
  const sizes = await Promise.all(
    (await readdir(path)).map(async (name) => (await stat(join(path, name))).size),
  )
  return sizes.reduce((a, b) => a + b, 0)
}

/** The target, and behind it the run in this process: segment after segment, then the join. */
const tapTarget = ({ setup: { target } }: Kernel, run: OpenRender) => {
  const renderIn = (plan: RenderPlan) => (index: number, signal?: AbortSignal) =>
    run.renderSegment(plan, index, signal ? { signal } : {})
  if (target)
    run.as(target.name, () =>
      run.hooks.execute.tapPromise(target.name, ({ plan, request }) =>
        target.run(plan, {
          ...run.context(target),
          request,
          renderSegment: renderIn(plan),
          join: (segments) => run.join(plan, segments),
          progress: (framesRendered) => run.report('render', framesRendered),
        }),
      ),
    )
  run.as('@vid/kernel', () =>
    run.hooks.execute.tapPromise({ name: '@vid/kernel', stage: Infinity }, async ({ plan }) => {
      const segments = []
      for (const { index } of plan.segments) segments.push(await renderIn(plan)(index))
      return run.join(plan, segments)
    }),
  )
}

/** Renders a request from variables to delivery; whatever happens, nothing of it is left running. */
export const render = async (
  kernel: Kernel,
  input: RenderRequestInput,
  options: { readonly signal?: AbortSignal; onEvent?(event: RenderEvent): void } = {},
): Promise<RenderResult> => {
  const from = performance.now()
  const request = checkRequest(input)
  const run = await kernel.open({ ...options, projectDir: request.projectDir })
  try {
    tapTarget(kernel, run)
    for (const delivery of kernel.setup.deliveries ?? [])
      run.as(delivery.name, () =>
        run.hooks.deliver.tapPromise(delivery.name, ({ artifact, result }) =>
          delivery.deliver(artifact, result, run.context(delivery)),
        ),
      )
    run.emit({ type: 'render-start', outputPath: request.output })
    run.report('plan', 0)
    const plan = await run.plan(request)
    const artifact = await run.hooks.execute.promise({ plan, request })
    if (!artifact) throw fail('VID_HOOK_UNANSWERED', { hook: 'execute', wanted: 'the plan' })
    run.report('deliver', plan.frames)
    const result = {
      outputPath: request.output,
      fileSize: await sizeOf(artifact.path),
      durationMs: Math.round((plan.frames / plan.fps) * 1000),
      frames: plan.frames,
      warnings: run.warnings,
      renderTimeMs: Math.round(performance.now() - from),
    }
    await run.hooks.deliver.promise({ artifact, result })
    await run.hooks.done.promise(result)
    run.emit({ type: 'render-complete', ...result })
    return result
  } catch (thrown) {
    const cancelled = options.signal?.aborted && !(isVidError(thrown) && thrown.code === 'VID_PLUGIN_STALLED')
    const error = cancelled
      ? fail('VID_CANCELLED', {}, { cause: thrown })
      : blame(thrown, '@vid/kernel', 'render')
    await run.hooks.failed.promise(error).catch(() => {})
    run.emit({ type: 'render-error', error: error.toJSON() })
    throw error
  } finally {
    await run.close()
  }
}
