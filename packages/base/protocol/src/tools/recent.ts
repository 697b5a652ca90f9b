/** A map with a limit: what has not been read or set for the longest time is dropped first. */
export interface RecentMap<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  /** Forgets the value of a key; with `value` only that one. */
  delete(key: K, value?: V): void
  /** The least recently used key is the first. */
  keys(): readonly K[]
}

/** Creates a map of at most `max` values; `onDrop` is called with each that the limit drops. */
export const createRecentMap = <K, V extends {}>(max: number, onDrop?: (value: V) => void): RecentMap<K, V> => {
  // The insertion order of the map is the order of use.
  const entries = new Map<K, V>()
  const use = (key: K, value: V) => {
    entries.delete(key)
    entries.set(key, value)
  }
  return {
    get(key) {
      const value = entries.get(key)
      if (value !== undefined) use(key, value)
      return value
    },
    set(key, value) {
      use(key, value)
      const [oldest] = entries
      if (entries.size <= max || !oldest) return
      entries.delete(oldest[0])
      onDrop?.(oldest[1])
    },
    delete(key, value = entries.get(key)) {
      if (entries.get(key) === value) entries.delete(key)
    },
    keys: () => [...entries.keys()],
  }
}

/** The result under a key: of work that was done before or is under way, else of `make`; what fails is made again. */
export const recentWork = <K, V>(works: RecentMap<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> => {
  const earlier = works.get(key)
  if (earlier) return earlier
  const work = make()
  works.set(key, work)
  work.catch(() => works.delete(key, work))
  return work
}
