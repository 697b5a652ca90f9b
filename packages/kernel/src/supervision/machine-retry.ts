import { isVidError } from '@vid/protocol'

/** How often work is tried again after the machine has failed it. */
const RETRIES = 2

/** Does work again, at most twice, when a fault of the machine ended it that may pass, such as a killed browser. */
export const retryMachineFaults = async <T>(
  work: () => Promise<T>,
  { signal, onRetry }: { readonly signal: AbortSignal; onRetry(reason: string): void },
): Promise<T> => {
  for (let left = RETRIES; ; left -= 1) {
    try {
      return await work()
    } catch (thrown) {
      const isPassing = isVidError(thrown) && thrown.fault === 'machine' && !thrown.final
      if (left === 0 || signal.aborted || !isPassing) throw thrown
      onRetry(thrown.message)
    }
  }
}
