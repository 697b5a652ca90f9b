/** Keeps the results of slow work on files as long as the files stay as they are. */
export interface Kept<T> {
  /** The result under a key that names the work and the state of its file; works once for all who ask at a time. */
  get(key: string, make: () => Promise<T>): Promise<T>
}

/** Remembers at most `max` results, the least recently used go first; failures are not kept. */
export const createKept = <T>(max: number): Kept<T> => {
  const kept = new Map<string, Promise<T>>()
  return {
    get(key, make) {
      const made = kept.get(key) ?? make()
      kept.delete(key)
      kept.set(key, made)
      made.catch(() => kept.delete(key))
      const [oldest] = kept.keys()
      if (kept.size > max && oldest !== undefined) kept.delete(oldest)
      return made
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
