import {
  isVidError,
  type Kernel,
  type RenderEvent,
  type RenderRequestInput,
  type RenderResult,
  type RequestOptions,
  render,
} from '@vid/kernel'
import { renderWarning } from '../warnings.ts'

/** A GPU that was lost again after its segment had been tried anew, or that is not found any more. */
const GPU_GONE: ReadonlySet<string> = new Set(['VID_BROWSER_GPU_LOST', 'VID_BROWSER_GPU_UNAVAILABLE'])

/**
 * Renders a request. When a GPU that nobody insisted on is lost for good, all of it is rendered again without one: a
 * file never has pictures of both.
 */
export const renderOffLostGpu = async (
  kernel: Kernel,
  request: RenderRequestInput,
  options: RequestOptions,
): Promise<RenderResult> => {
  let failure: RenderEvent | undefined
  // A render that is tried again has not ended.
  const onEvent = (event: RenderEvent) => {
    if (event.type === 'render-error') failure = event
    else options.onEvent?.(event)
  }
  try {
    return await render(kernel, request, { ...options, onEvent })
  } catch (thrown) {
    const { browserGpu = 'auto' } = request
    const mayFallBack = isVidError(thrown) && GPU_GONE.has(thrown.code) && browserGpu === 'auto'
    if (!mayFallBack || options.signal?.aborted || options.plan) {
      if (failure) options.onEvent?.(failure)
      throw thrown
    }
    const warning = renderWarning('VID_RENDER_OFF_GPU', { reason: thrown.message })
    options.onEvent?.({ type: 'warning', renderId: options.renderId ?? '', warning })
    const result = await render(kernel, { ...request, browserGpu: false }, options)
    return { ...result, warnings: [warning, ...result.warnings] }
  }
}
