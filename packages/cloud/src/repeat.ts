import { delay } from '@vid/system'

/** Does work again and again, each time so long after the last one has ended, until the signal aborts. */
export const repeat = async (
  work: () => Promise<void>,
  options: { readonly everyMs: number; readonly signal: AbortSignal; onError(thrown: unknown): void },
): Promise<void> => {
  const { everyMs, signal, onError } = options
  while (!signal.aborted) {
    await delay(everyMs, signal).catch(() => {})
    if (signal.aborted) return
    await work().catch(onError)
  }
}
