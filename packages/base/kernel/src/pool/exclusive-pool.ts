import type { Lease, Shareable, SharedPool } from '../contracts/shared-pool.ts'

/** The resources of a pool that one render holds under a key. */
interface Held {
  readonly lease: Promise<Lease<Shareable>>
  holders: number
  isDiscarded: boolean
}

/**
 * A pool as one render sees it, for a pool without a limit: all holders of a key share one resource, which no other
 * render gets until the last of them has released it. The owner of the pool closes it.
 */
export const exclusivePool = (pool: SharedPool): SharedPool => {
  const open = new Map<string, Held>()
  const forget = (key: string, entry: Held) => {
    if (open.get(key) === entry) open.delete(key)
  }
  const begin = (key: string, lease: Held['lease']): Held => {
    const entry = { lease, holders: 0, isDiscarded: false }
    open.set(key, entry)
    lease.catch(() => forget(key, entry))
    return entry
  }
  return {
    async acquire<T extends Shareable>(key: string, start: (signal: AbortSignal) => Promise<T>) {
      const entry = open.get(key) ?? begin(key, pool.acquire(key, start))
      entry.holders += 1
      const lease = (await entry.lease) as Lease<T>
      let isHeld = true
      const isLast = () => {
        if (isHeld) entry.holders -= 1
        const wasHeld = isHeld
        isHeld = false
        return wasHeld && entry.holders === 0
      }
      return {
        value: lease.value,
        release() {
          if (!isLast()) return
          forget(key, entry)
          if (entry.isDiscarded) lease.discard().catch(() => {})
          else lease.release()
        },
        async discard() {
          entry.isDiscarded = true
          forget(key, entry)
          if (isLast()) await lease.discard()
        },
      }
    },
    prepare: (key, start) => {
      if (!open.has(key)) pool.prepare(key, start)
    },
    async close() {},
  }
}
