/** Processes items with limited concurrency. The first failure aborts the others and is thrown once they have ended. */
export const runPool = async <T>(
  items: readonly T[],
  limit: number,
  outer: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const stop = new AbortController()
  const signal = AbortSignal.any([outer, stop.signal])
  const queue = [...items]
  const runner = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      signal.throwIfAborted()
      await work(item, signal)
    }
  }
  const runners = Array.from({ length: Math.min(limit, items.length) }, () =>
    runner().catch((thrown: unknown) => {
      stop.abort(thrown)
      throw thrown
    }),
  )
  const results = await Promise.allSettled(runners)
  outer.throwIfAborted()
  if (stop.signal.aborted) throw stop.signal.reason
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
