import { setMaxListeners } from 'node:events'
import type { Shareable, SharedPool } from '../contracts/shared-pool.ts'

/** One resource of a pool, from the moment its start begins. */
interface Entry {
  readonly key: string
  readonly value: Promise<Shareable>
  holders: number
  /** Whether it is no longer handed out. */
  isDiscarded: boolean
  /** Closes it when it has been idle for long. */
  timer: NodeJS.Timeout | undefined
}

/** Limits of a pool. */
interface PoolOptions {
  /** Resources of one key that are open at once; beyond that, holders share. Unlimited if left out. */
  readonly max?: number
  /** Idle resources of all keys together, four times `max` if left out. */
  readonly maxIdle?: number
  /** Milliseconds after which an idle resource is closed; never if left out. */
  readonly maxIdleMs?: number
}

/**
 * Idle resources of all keys together, for each of one key: a render may need several kinds, and the next one others.
 */
const IDLE_PER_MAX = 4

/** A pool that starts nothing by itself; close it at the end. */
export const createPool = ({
  max = Number.POSITIVE_INFINITY,
  maxIdle = IDLE_PER_MAX * max,
  maxIdleMs,
}: PoolOptions = {}): SharedPool => {
  const open = new Set<Entry>()
  const ending = new Set<Promise<void>>()
  const stop = new AbortController()
  // Each resource listens to it in several places.
  setMaxListeners(0, stop.signal)
  const end = async (entry: Entry) => {
    entry.isDiscarded = true
    clearTimeout(entry.timer)
    if (!open.delete(entry)) return
    const closing = entry.value.then((value) => value.close())
    ending.add(closing)
    await closing.finally(() => ending.delete(closing))
  }
  /** An idle resource; else, at the limit, the one with the fewest holders. */
  const find = (key: string): Entry | undefined => {
    const all = [...open].filter((entry) => entry.key === key && !entry.isDiscarded)
    const [least] = all.sort((one, other) => one.holders - other.holders)
    return least && (least.holders === 0 || all.length >= max) ? least : undefined
  }
  const isIdle = ({ holders, isDiscarded }: Entry) => holders === 0 && !isDiscarded
  const endLater = (entry: Entry) => {
    if (maxIdleMs === undefined) return
    clearTimeout(entry.timer)
    entry.timer = setTimeout(() => end(entry).catch(() => {}), maxIdleMs).unref()
  }
  /** Keeps a resource for the next holder; beyond the limit, the one that has been idle longest ends. */
  const keepIdle = async (entry: Entry) => {
    // The order of the set is that of the last release.
    if (!open.delete(entry)) return
    open.add(entry)
    endLater(entry)
    const idle = [...open].filter(isIdle)
    await Promise.all(idle.slice(0, Math.max(0, idle.length - maxIdle)).map(end))
  }
  const begin = (key: string, start: (signal: AbortSignal) => Promise<Shareable>): Entry => {
    const entry: Entry = {
      key,
      value: start(stop.signal),
      holders: 0,
      isDiscarded: false,
      timer: undefined,
    }
    open.add(entry)
    entry.value.catch(() => open.delete(entry))
    return entry
  }
  return {
    async acquire<T extends Shareable>(key: string, start: (signal: AbortSignal) => Promise<T>) {
      stop.signal.throwIfAborted()
      const entry = find(key) ?? begin(key, start)
      entry.holders += 1
      clearTimeout(entry.timer)
      const value = (await entry.value) as T
      if (stop.signal.aborted) await end(entry)
      stop.signal.throwIfAborted()
      let isHeld = true
      const leave = () => {
        if (isHeld) entry.holders -= 1
        isHeld = false
        return entry.isDiscarded && entry.holders === 0
      }
      return {
        value,
        release() {
          // The holder does not wait for it to close; `close` of the pool does.
          if (!isHeld) return
          const isLast = leave()
          const left = isLast ? end(entry) : entry.holders === 0 ? keepIdle(entry) : undefined
          left?.catch(() => {})
        },
        async discard() {
          entry.isDiscarded = true
          if (leave()) await end(entry)
        },
      }
    },
    prepare(key, start) {
      // One that is never acquired, as when the render fails before, is idle like any other.
      if (!stop.signal.aborted && !find(key)) keepIdle(begin(key, start)).catch(() => {})
    },
    async close() {
      stop.abort(new Error('the pool was closed'))
      // A resource that could not be started has nothing to close.
      await Promise.all(
        [...open].map((entry) =>
          entry.value.then(
            () => end(entry),
            () => undefined,
          ),
        ),
      )
      await Promise.allSettled(ending)
    },
  }
}
