import {
  checkRequest,
  type Delivered,
  failRender,
  type RenderPlan,
  type RenderRequest,
  type RenderRequestInput,
  type RenderResult,
  secondsOf,
  type VidError,
} from '@vid/protocol'
import { defineTarget } from '../contracts/define.ts'
import type { Kernel, KernelSetup, OpenRender, RequestOptions } from '../contracts/kernel-types.ts'
import type { PluginOf } from '../contracts/plugin.ts'
import type { Artifact } from '../contracts/roles.ts'
import type { RemoteResult } from '../contracts/targets.ts'
import { artifactBytes } from '../results/artifact.ts'
import { placeBeside } from '../results/beside.ts'
import { createGrowingDeliveries, deliverWhole, type GrowingDeliveries } from '../results/growth.ts'
import { placeSidecars, writeSidecars } from '../results/sidecars.ts'
import { checkAnswer, wrongAnswer } from '../supervision/answers.ts'
import { blame, warningOf } from '../supervision/blame.ts'
import { abortFailure } from '../supervision/stray.ts'
import { ask } from '../supervision/supervise-hooks.ts'
import { checkPublishing, isPublishable, publishedOutput } from './publish.ts'
import { renderWhole, takesRequests, tapRequestTarget } from './request-target.ts'

type PlanTarget = Extract<PluginOf<'target'>, { readonly run: unknown }>

/** Without a target: in this process, segment after segment. */
export const sequentialTarget = defineTarget({
  name: '@vid/kernel',
  async run({ segments }, { renderSegment, join }) {
    const files = []
    for (const { index } of segments) files.push(await renderSegment(index))
    return join(files)
  },
})()

/** Lets the target of a plan render it. */
const tapPlanTarget = (run: OpenRender, target: PlanTarget): void =>
  run.as(target.name, () =>
    run.hooks.execute.tapPromise(target.name, async ({ plan, request }) => {
      const artifact = await target.run(plan, {
        ...run.context(target),
        request,
        machine: run.machine,
        lookahead: run.lookaheadOf(plan),
        ...(run.openStore && { openStore: run.openStore }),
        renderSegment: (index, part) => run.renderSegment(plan, index, part),
        join: (segments) => run.join(plan, segments),
        progress: (framesRendered) => run.report('render', framesRendered, plan.frames),
      })
      return checkAnswer(target.name, 'execute', artifact)
    }),
  )

/** The addresses of each artifact, in the order in which it was delivered. */
type Addresses = Map<Artifact, readonly Delivered[]>

const addressed = (result: RenderResult, delivered: readonly Delivered[] | undefined): RenderResult =>
  delivered ? { ...result, delivered } : result

/** Runs the target, then the deliveries. */
const tapEnds = (
  run: OpenRender,
  setup: KernelSetup,
  target: PluginOf<'target'>,
  { addresses, growth }: { readonly addresses: Addresses; readonly growth: GrowingDeliveries },
): void => {
  if (takesRequests(target)) tapRequestTarget(run, setup, target)
  else tapPlanTarget(run, target)
  for (const delivery of setup.deliveries ?? [])
    run.as(delivery.name, () =>
      run.hooks.deliver.tapPromise(delivery.name, async ({ artifact, result }) => {
        const before = addresses.get(artifact)
        const job = { artifact, result: addressed(result, before) }
        const address = await deliverWhole(run, delivery, growth, job)
        checkAnswer(delivery.name, 'deliver', address)
        if (typeof address === 'string')
          addresses.set(artifact, [...(before ?? []), { plugin: delivery.name, address }])
      }),
    )
}

/** The result of a target before delivery. */
type Rendered = Omit<RemoteResult, 'warnings'> & Pick<RenderPlan, 'sidecars'>

/** Plans the request, unless it brings a plan, and renders it; undefined when the caller takes the plan. */
const renderPlanned = async (
  run: OpenRender,
  request: RenderRequest,
  { plan: planned, takePlan }: { readonly plan: RequestOptions['plan']; readonly takePlan: RequestOptions['takePlan'] },
): Promise<Rendered | undefined> => {
  const plan = planned ? await run.acceptPlan(planned) : await run.plan(request)
  if (takePlan) {
    run.signal.throwIfAborted()
    run.reportGroups()
    if (await takePlan(plan, run.warnings)) return undefined
  }
  const artifact = await ask('execute', 'the plan', run.hooks.execute.promise({ plan, request }))
  const { frames, fps, sidecars } = plan
  return { artifact, frames, durationMs: Math.round(secondsOf(frames, fps) * 1000), ...(sidecars && { sidecars }) }
}

/** Delivers every output, and the files beside them; the result is that of the first, and lists the others. */
const deliver = async (
  run: OpenRender,
  target: PluginOf<'target'>,
  request: RenderRequest,
  { artifact, frames, durationMs, cost, timings = [], sidecars }: Rendered,
  { renderTimeMs, addresses }: { readonly renderTimeMs: () => number; readonly addresses: Addresses },
): Promise<RenderResult> => {
  run.signal.throwIfAborted()
  run.report('deliver', frames, frames)
  const hook = takesRequests(target) ? 'request' : 'execute'
  const { length } = artifact.more ?? []
  if (length !== request.outputs.length)
    throw wrongAnswer(target.name, hook, `${1 + request.outputs.length} artifacts`, 1 + length)
  const finished: { readonly artifact: Artifact; readonly result: RenderResult }[] = []
  const results = [artifact, ...(artifact.more ?? [])].map((file, index) => ({
    file,
    outputPath: request.outputs[index - 1]?.output ?? request.output,
  }))
  const { workDir } = run.context({ name: target.name, options: {} })
  const outputPaths = results.map(({ outputPath }) => outputPath)
  const texts = await writeSidecars(placeSidecars(outputPaths, sidecars), workDir)
  const beside = [...placeBeside(results), ...texts]
  for (const { file, outputPath } of [...results, ...beside]) {
    const fileSize = await artifactBytes(target.name, hook, file.path)
    const facts = { durationMs, renderTimeMs: renderTimeMs(), frames, warnings: run.warnings }
    const spent = [...run.timings(), ...timings]
    finished.push({ artifact: file, result: { outputPath, fileSize, ...facts, timings: spent } })
  }
  for (const delivery of finished) await run.hooks.deliver.promise(delivery)
  const [first, ...outputs] = finished.map(({ artifact: file, result }) => addressed(result, addresses.get(file))) as [
    RenderResult,
    ...RenderResult[],
  ]
  return { ...first, ...(cost && { cost }), ...(outputs.length > 0 && { outputs }) }
}

/** The error of a render: a cancellation, or the failure that ended it. */
const endingOf = (thrown: unknown, signal: AbortSignal | undefined): VidError => {
  const aborted = abortFailure(signal)
  if (aborted) return aborted
  const failure = blame(thrown, '@vid/kernel', 'render')
  const isCancelled = signal?.aborted && failure.code !== 'VID_PLUGIN_STALLED'
  return isCancelled ? failRender('VID_CANCELLED', {}, { cause: thrown }) : failure
}

/**
 * Renders a request from variables to delivery; nothing is left running afterwards, even if it fails. Undefined when
 * the caller has taken the plan.
 */
export const renderOrPlan = async (
  kernel: Kernel,
  input: RenderRequestInput,
  { plan, takePlan, ...options }: RequestOptions = {},
): Promise<RenderResult | undefined> => {
  const startedMs = performance.now()
  const request = checkRequest(input)
  const { projectDir, output: outputPath } = request
  const isLeftOut = options.publish?.isOptional && !isPublishable(kernel.setup, request)
  const publish = isLeftOut ? undefined : options.publish
  const growth = createGrowingDeliveries(kernel.setup.deliveries ?? [], publishedOutput(kernel.setup, request), publish)
  const run = await kernel.open({ ...options, publish: growth.publish, projectDir, strict: request.strict })
  growth.start(run)
  const { hooks } = run
  const { target = sequentialTarget } = kernel.setup
  const addresses: Addresses = new Map()
  try {
    tapEnds(run, kernel.setup, target, { addresses, growth })
    run.emit({ type: 'render-start', outputPath })
    // Whatever comes before the first frames belongs to this stage, the start of a container included: stages add up.
    run.report('plan', 0, 0)
    if (publish) checkPublishing(kernel.setup, request)
    await run.check(request)
    const rendered = takesRequests(target)
      ? await renderWhole(run, target, request)
      : await renderPlanned(run, request, { plan, takePlan })
    if (!rendered) {
      run.reportConsole()
      return undefined
    }
    run.reportGroups()
    const renderTimeMs = () => Math.round(performance.now() - startedMs)
    const result = await deliver(run, target, request, rendered, { renderTimeMs, addresses })
    // A plugin may ignore the signal; the render has failed all the same.
    const failure = abortFailure(options.signal)
    if (failure) throw failure
    await hooks.done.promise(result)
    run.reportConsole()
    run.emit({ type: 'render-complete', ...result })
    return result
  } catch (thrown) {
    const error = run.refusal() ?? endingOf(thrown, options.signal)
    // A failing observer must not hide the error of the render.
    await hooks.failed.promise(error).catch((second: VidError) => run.warn(warningOf(second)))
    run.reportGroups()
    run.reportConsole()
    run.emit({ type: 'render-error', error: error.toJSON() })
    throw error
  } finally {
    await run.close()
  }
}

/** Like `renderOrPlan`, for a caller who takes no plan. */
export const render = async (
  kernel: Kernel,
  input: RenderRequestInput,
  options: Omit<RequestOptions, 'takePlan'> = {},
): Promise<RenderResult> => (await renderOrPlan(kernel, input, options)) as RenderResult
