import { isVidError, kernelWarning, type Warning } from '@vid/protocol'
import { retry } from '@vid/system'

/** Number of retries. */
const RETRIES = 2

interface Options {
  readonly signal: AbortSignal
  readonly retries?: number
}

const repeat = <T>(
  work: () => Promise<T>,
  { signal, retries = RETRIES }: Options,
  mayPass: (error: unknown) => boolean,
  onRetry: (reason: string) => void,
): Promise<T> =>
  retry(work, {
    retries,
    // Nothing is pending, and the error of an aborted attempt is more specific than the abort.
    may: (error) => !signal.aborted && mayPass(error),
    onRetry: (error) => onRetry(error instanceof Error ? error.message : String(error)),
  })

/** Does work again, at most twice, when a fault of the machine ended it that may pass, such as a killed browser. */
export const retryMachineFaults = <T>(
  work: () => Promise<T>,
  { signal, onRetry }: { readonly signal: AbortSignal; onRetry(reason: string): void },
): Promise<T> =>
  repeat(work, { signal }, (error) => isVidError(error) && error.fault === 'machine' && !error.final, onRetry)

/**
 * Renders the segment `index` again, twice if `retries` is left out, unless its error is final; each time with a
 * warning.
 */
export const retrySegment = <T>(
  index: number,
  work: () => Promise<T>,
  { warn, ...options }: Options & { warn(warning: Warning): void },
): Promise<T> =>
  repeat(
    work,
    options,
    (error) => !(isVidError(error) && error.final),
    (reason) => warn(kernelWarning('VID_SEGMENT_RETRIED', { part: 'segment', index, done: 'rendered', reason })),
  )
