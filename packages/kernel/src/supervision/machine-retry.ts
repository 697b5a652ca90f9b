import { isVidError, kernelWarning, type Warning } from '@vid/protocol'

/** How often work is tried again. */
const RETRIES = 2

interface RetryOptions {
  readonly signal: AbortSignal
  readonly retries?: number
  mayPass(thrown: unknown): boolean
  onRetry(reason: string): void
}

/** Does work again while its error may pass. */
const retry = async <T>(
  work: () => Promise<T>,
  { signal, retries = RETRIES, mayPass, onRetry }: RetryOptions,
): Promise<T> => {
  for (let left = retries; ; left -= 1) {
    try {
      return await work()
    } catch (thrown) {
      if (left === 0 || signal.aborted || !mayPass(thrown)) throw thrown
      onRetry(thrown instanceof Error ? thrown.message : String(thrown))
    }
  }
}

/** Does work again, at most twice, when a fault of the machine ended it that may pass, such as a killed browser. */
export const retryMachineFaults = <T>(
  work: () => Promise<T>,
  options: Pick<RetryOptions, 'signal' | 'onRetry'>,
): Promise<T> =>
  retry(work, {
    ...options,
    mayPass: (thrown) => isVidError(thrown) && thrown.fault === 'machine' && !thrown.final,
  })

/** Renders the segment `index` again, twice if `retries` is left out, unless its error is final; each time with a warning. */
export const retrySegment = <T>(
  index: number,
  work: () => Promise<T>,
  { warn, ...options }: Pick<RetryOptions, 'signal' | 'retries'> & { warn(warning: Warning): void },
): Promise<T> =>
  retry(work, {
    ...options,
    mayPass: (thrown) => !(isVidError(thrown) && thrown.final),
    onRetry: (reason) =>
      warn(kernelWarning('VID_SEGMENT_RETRIED', { part: 'segment', index, done: 'rendered', reason })),
  })
