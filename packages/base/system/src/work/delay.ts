import { setTimeout as wait } from 'node:timers/promises'

/** Waits; rejects with the signal's reason when it aborts before. */
export const delay = async (ms: number, signal?: AbortSignal): Promise<void> => {
  signal?.throwIfAborted()
  await wait(ms, undefined, signal ? { signal } : {}).catch((thrown: unknown) => {
    signal?.throwIfAborted()
    throw thrown
  })
}
