import { type Kernel, type RequestOptions, renderOrPlan } from '@vid/kernel'
import { isVidError, type RenderEvent, type RenderRequestInput, type RenderResult, type Warning } from '@vid/protocol'
import { renderWarning } from '../warnings.ts'

/** A GPU that was lost again after its segment had been retried, or that is not found any more. */
const GPU_GONE: ReadonlySet<string> = new Set(['VID_BROWSER_GPU_LOST', 'VID_BROWSER_GPU_UNAVAILABLE'])

/** The receiver of a lost GPU's report, and the signal that ends the work. */
interface FallbackOptions {
  readonly signal?: AbortSignal | undefined
  onLoss(warning: Warning): void
}

/**
 * Does the work of a request. If an optional GPU is lost for good, all of the work is done again without one: a
 * result never has pictures of both.
 */
export const offLostGpu = async <R extends Pick<RenderRequestInput, 'browserGpu'>, T>(
  request: R,
  { signal, onLoss }: FallbackOptions,
  work: (request: R) => Promise<T>,
): Promise<T> => {
  try {
    return await work(request)
  } catch (thrown) {
    const { browserGpu = 'auto' } = request
    const mayFallBack = isVidError(thrown) && GPU_GONE.has(thrown.code) && browserGpu === 'auto'
    if (!mayFallBack || signal?.aborted) throw thrown
    onLoss(renderWarning('VID_RENDER_OFF_GPU', { reason: thrown.message }))
    return work({ ...request, browserGpu: false })
  }
}

/** Holds back the event of a failure, since a render that is tried again has not ended. */
export const holdFailure = (report: ((event: RenderEvent) => void) | undefined) => {
  let failure: RenderEvent | undefined
  return {
    onEvent(event: RenderEvent) {
      if (event.type === 'render-error') failure = event
      else report?.(event)
    },
    /** Another attempt begins. */
    drop() {
      failure = undefined
    },
    /** There is no other attempt. */
    flush() {
      if (failure) report?.(failure)
    },
  }
}

/** Renders a request, and again without the GPU when that is lost; undefined when the caller has taken the plan. */
export const renderOffLostGpu = async (
  kernel: Kernel,
  request: RenderRequestInput,
  options: RequestOptions,
): Promise<RenderResult | undefined> => {
  const { onEvent, flush } = holdFailure(options.onEvent)
  const warnings: Warning[] = []
  const onLoss = (warning: Warning) => {
    warnings.push(warning)
    options.onEvent?.({ type: 'warning', renderId: options.renderId ?? '', warning })
  }
  try {
    const work = (tried: RenderRequestInput) => renderOrPlan(kernel, tried, { ...options, onEvent })
    const result = await offLostGpu(request, { signal: options.signal, onLoss }, work)
    return result && { ...result, warnings: [...warnings, ...result.warnings] }
  } catch (thrown) {
    flush()
    throw thrown
  }
}
