import { delay } from '@vid/system'

/** Repeats work, with a pause after each run, until the signal aborts. */
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
