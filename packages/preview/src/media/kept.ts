/** Keeps the results of slow work on files as long as the files stay as they are. */
export interface Kept<T> {
  /** The result under a key that names the work and the state of its file; works once for all who ask at a time. */
  get(key: string, make: () => Promise<T>): Promise<T>
}

/** Remembers at most `max` results, the least recently used go first; failures are not kept. */
export const createKept = <T>(max: number): Kept<T> => {
  const promises = new Map<string, Promise<T>>()
  return {
    get(key, make) {
      const promise = promises.get(key) ?? make()
      promises.delete(key)
      promises.set(key, promise)
      promise.catch(() => promises.delete(key))
      const [oldest] = promises.keys()
      if (promises.size > max && oldest !== undefined) promises.delete(oldest)
      return promise
    },
  }
}

/** Works one after another: programs that use all cores must not run at once by the dozen. */
export const createSequence = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => {})
    return next
  }
}
