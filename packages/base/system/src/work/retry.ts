import { delay } from './delay.ts'

/** Milliseconds before the next attempt, after a number of failures in a row. */
export type Delays = (failures: number, error: unknown) => number

/** When and how often work is tried again. */
export interface RetryOptions {
  /** Ends the waiting; its reason is thrown then. */
  readonly signal?: AbortSignal | undefined
  /** Whether another attempt may succeed after this error. */
  may(error: unknown): boolean
  /** No wait if left out. */
  readonly delays?: Delays
  /** Most attempts after the first; any number if left out. */
  readonly retries?: number
  /** Most milliseconds from the first failure in a row to another attempt after this error; any time if left out. */
  withinMs?(error: unknown): number
  /** Called before the wait for another attempt. */
  onRetry?(error: unknown): void
}

/** Counts the failures of one piece of work. */
export interface Retries {
  /**
   * Waits until another attempt may be made; throws the error if none may. `beganMs` is when the failed attempt began, now
   * if left out.
   */
  next(error: unknown, attempt?: { readonly beganMs?: number; readonly signal?: AbortSignal }): Promise<void>
  /** Begins to count again, because there was progress. */
  reset(): void
}

/** Delays that grow by a factor up to a limit. Chance takes up to a half off, so that clients do not return all at once. */
export const backOff =
  ({ firstMs, maxMs = Number.POSITIVE_INFINITY, factor = 2 }: { firstMs: number; maxMs?: number; factor?: number }) =>
  (failures: number): number =>
    Math.min(maxMs, firstMs * factor ** (failures - 1)) * (1 - Math.random() / 2)

/** Counts failures for work that is more than one function call, such as a stream that continues where it broke. */
export const countRetries = (options: RetryOptions): Retries => {
  const { delays, retries = Number.POSITIVE_INFINITY } = options
  let failures = 0
  let sinceMs: number | undefined
  return {
    async next(error, { beganMs = performance.now(), signal = options.signal } = {}) {
      signal?.throwIfAborted()
      if (failures >= retries || !options.may(error)) throw error
      failures += 1
      sinceMs ??= beganMs
      const waitMs = delays?.(failures, error) ?? 0
      const limitMs = options.withinMs?.(error) ?? Number.POSITIVE_INFINITY
      if (performance.now() - sinceMs + waitMs > limitMs) throw error
      options.onRetry?.(error)
      if (delays) await delay(waitMs, signal)
    },
    reset() {
      failures = 0
      sinceMs = undefined
    },
  }
}

/** Does work until it succeeds, or fails with an error after which it may not be tried again. */
export const retry = async <T>(work: (retries: Retries) => Promise<T>, options: RetryOptions): Promise<T> => {
  const retries = countRetries(options)
  for (;;) {
    try {
      return await work(retries)
    } catch (thrown) {
      await retries.next(thrown)
    }
  }
}
