import type { RenderRequestInput, RenderResult } from '@vid/protocol'
import { blame, checkRequest, failRender } from '@vid/protocol'
import { defineTarget } from '../contracts/define.ts'
import type { Kernel, RunOptions } from '../contracts/kernel-types.ts'
import { ask } from '../supervision/supervise-hooks.ts'
import { artifactBytes } from './artifact.ts'

/** Without a target: in this process, segment after segment. */
const inProcess = defineTarget({
  name: '@vid/kernel',
  async run({ segments }, { renderSegment, join }) {
    const files = []
    for (const { index } of segments) files.push(await renderSegment(index))
    return join(files)
  },
})()

/** Renders a request from variables to delivery; whatever happens, nothing of it is left running. */
export const render = async (
  kernel: Kernel,
  input: RenderRequestInput,
  options: Omit<RunOptions, 'projectDir'> = {},
): Promise<RenderResult> => {
  const from = performance.now()
  const request = checkRequest(input)
  const { projectDir, output: outputPath } = request
  const run = await kernel.open({ ...options, projectDir })
  const { hooks } = run
  const { deliveries = [], target = inProcess } = kernel.setup
  try {
    run.as(target.name, () =>
      hooks.execute.tapPromise(target.name, ({ plan, request }) =>
        target.run(plan, {
          ...run.context(target),
          request,
          renderSegment: (index, part) => run.renderSegment(plan, index, part),
          join: (segments) => run.join(plan, segments),
          progress: (framesRendered) => run.report('render', framesRendered, plan.frames),
        }),
      ),
    )
    for (const delivery of deliveries)
      run.as(delivery.name, () =>
        hooks.deliver.tapPromise(delivery.name, ({ artifact, result }) =>
          delivery.deliver(artifact, result, run.context(delivery)),
        ),
      )
    run.emit({ type: 'render-start', outputPath })
    run.report('plan', 0, 0)
    const plan = await run.plan(request)
    const { frames, fps } = plan
    const artifact = await ask('execute', 'the plan', hooks.execute.promise({ plan, request }))
    run.report('deliver', frames, frames)
    const durationMs = Math.round((frames / fps) * 1000)
    const made = []
    for (const [at, each] of [artifact, ...(artifact.more ?? [])].entries()) {
      const fileSize = await artifactBytes(target.name, 'execute', each.path)
      const renderTimeMs = Math.round(performance.now() - from)
      const path = request.outputs[at - 1]?.output ?? outputPath
      const facts = { durationMs, frames, warnings: run.warnings, renderTimeMs, timings: run.timings() }
      made.push({ outputPath: path, fileSize, ...facts })
    }
    for (const [at, each] of [artifact, ...(artifact.more ?? [])].entries())
      await hooks.deliver.promise({ artifact: each, result: made[at] as RenderResult })
    const [first, ...outputs] = made as [RenderResult, ...RenderResult[]]
    const result = outputs.length > 0 ? { ...first, outputs } : first
    await hooks.done.promise(result)
    run.emit({ type: 'render-complete', ...result })
    return result
  } catch (thrown) {
    const failure = blame(thrown, '@vid/kernel', 'render')
    const cancelled = options.signal?.aborted && failure.code !== 'VID_PLUGIN_STALLED'
    const error = cancelled ? failRender('VID_CANCELLED', {}, { cause: thrown }) : failure
    // An observer that fails too must not hide why the render failed.
    await hooks.failed.promise(error).catch((late) => run.warn(late.toJSON()))
    run.emit({ type: 'render-error', error: error.toJSON() })
    throw error
  } finally {
    await run.close()
  }
}
