/**
 * Yields `produce(0) … produce(count - 1)` in order, one at a time but up to `depth` ahead of the reader;
 * when the reader stops early it waits for the value in progress.
 */
export async function* prefetch<T>(count: number, depth: number, produce: (index: number) => Promise<T>) {
  const waiting: Promise<T>[] = []
  let last: Promise<unknown> = Promise.resolve()
  let started = 0
  let left = false
  const start = () => {
    const index = started++
    const next = last.then(() => {
      if (left) throw new Error('the reader left')
      return produce(index)
    })
    next.catch(() => undefined)
    waiting.push(next)
    last = next
  }
  try {
    while (started < Math.min(depth, count)) start()
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const value = await next
      if (started < count) start()
      yield value
    }
  } finally {
    left = true
    await Promise.allSettled(waiting)
  }
}
