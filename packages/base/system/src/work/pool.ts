/** Works on items, `limit` at a time. The first failure aborts the others and is thrown once they have ended. */
export const runPool = async <T>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  outer: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const stop = new AbortController()
  const signal = AbortSignal.any([outer, stop.signal])
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const runner = async () => {
    try {
      for (;;) {
        signal.throwIfAborted()
        const next = await iterator.next()
        if (next.done) return
        await work(next.value, signal)
      }
    } catch (thrown) {
      stop.abort(thrown)
      throw thrown
    }
  }
  await Promise.allSettled(Array.from({ length: limit }, runner))
  outer.throwIfAborted()
  if (stop.signal.aborted) throw stop.signal.reason
}
