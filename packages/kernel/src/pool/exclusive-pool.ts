import type { Lease, Shareable, SharedPool } from '../contracts/shared-pool.ts'

/** What one render holds of a pool under one key. */
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
  const forget = (key: string, held: Held) => {
    if (open.get(key) === held) open.delete(key)
  }
  const begin = (key: string, lease: Held['lease']): Held => {
    const held = { lease, holders: 0, isDiscarded: false }
    open.set(key, held)
    lease.catch(() => forget(key, held))
    return held
  }
  return {
    async acquire<T extends Shareable>(key: string, start: (signal: AbortSignal) => Promise<T>) {
      const held = open.get(key) ?? begin(key, pool.acquire(key, start))
      held.holders += 1
      const lease = (await held.lease) as Lease<T>
      let isHeld = true
      const isLast = () => {
        if (isHeld) held.holders -= 1
        const wasHeld = isHeld
        isHeld = false
        return wasHeld && held.holders === 0
      }
      return {
        value: lease.value,
        release() {
          if (!isLast()) return
          forget(key, held)
          if (held.isDiscarded) lease.discard().catch(() => {})
          else lease.release()
        },
        async discard() {
          held.isDiscarded = true
          forget(key, held)
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
