import { createKernel, type KernelSetup, type RequestOptions, takesRequests } from '@vid/kernel'
import { isVidError, type RenderRequestInput, type RenderResult, type VidError } from '@vid/protocol'
import { type CaptureSlot, waitForSlot } from './capture-slots.ts'
import { holdFailure, renderOffLostGpu } from './gpu-fallback.ts'
import { publishFirst } from './publish-first.ts'

/** A shared browser may end before a render has started any work that it could retry by itself. */
const BROWSER_ENDED = 'VID_BROWSER_CRASHED'

/** One of several renders in a process. */
export interface SlottedRender {
  readonly setup: KernelSetup
  /** One for each capture, rendered one after another. */
  readonly requests: readonly RenderRequestInput[]
  readonly slot: CaptureSlot
  readonly options: Omit<RequestOptions, 'signal'> & { readonly signal: AbortSignal }
  /** Called before the retry. */
  onRetry(error: VidError): void
}

/**
 * Renders the requests once their slot allows it, and all of them once more when their shared browser ended. The time
 * of the results does not include waiting for the slot. A request whose plan the caller has taken over has no result.
 */
export const renderWithRetry = async (job: SlottedRender): Promise<RenderResult[]> => {
  const { setup, requests, slot, options, onRetry } = job
  const kernel = createKernel({ ...setup, plugins: [...(setup.plugins ?? []), waitForSlot(slot)] })
  const { onEvent, drop, flush } = holdFailure(options.onEvent)
  const once = async (): Promise<RenderResult[]> => {
    const results: RenderResult[] = []
    for (const [index, request] of requests.entries()) {
      const waitedMs = slot.waitedMs()
      const result = await renderOffLostGpu(kernel, request, publishFirst({ ...options, onEvent }, index))
      if (!result) continue
      const renderTimeMs = Math.max(0, Math.round(result.renderTimeMs - (slot.waitedMs() - waitedMs)))
      results.push({ ...result, renderTimeMs })
    }
    slot.release()
    return results
  }
  const withRetry = () =>
    once().catch((thrown: unknown) => {
      const isOfSharedBrowser = isVidError(thrown) && thrown.code === BROWSER_ENDED && !takesRequests(setup.target)
      if (!isOfSharedBrowser || options.signal.aborted) throw thrown
      drop()
      onRetry(thrown)
      return once()
    })
  return withRetry().catch((thrown: unknown) => {
    flush()
    throw thrown
  })
}
