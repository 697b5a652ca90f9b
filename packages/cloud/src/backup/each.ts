/** Files that are copied at once. */
const AT_ONCE = 8

/** Works on all items, several at once; the first failure ends all. */
export const forEach = async <T>(
  items: AsyncIterable<T> | Iterable<T>,
  signal: AbortSignal,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> => {
  const failure = new AbortController()
  const iterator =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : (items as Iterable<T>)[Symbol.iterator]()
  let index = 0
  const worker = async () => {
    try {
      while (!failure.signal.aborted) {
        signal.throwIfAborted()
        const next = await iterator.next()
        if (next.done) return
        await work(next.value, index++)
      }
    } catch (thrown) {
      failure.abort()
      throw thrown
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
