import type { Shareable, SharedPool } from '@vid/protocol'

/** A pool that starts nothing by itself; close it at the end. */
export const createPool = (): SharedPool => {
  const open = new Set<Shareable>()
  const idle: { readonly key: string; readonly value: Shareable }[] = []
  const stop = new AbortController()
  const drop = async (value: Shareable) => {
    if (open.delete(value)) await value.close()
  }
  return {
    async lend<T extends Shareable>(key: string, start: (signal: AbortSignal) => Promise<T>) {
      stop.signal.throwIfAborted()
      const at = idle.findIndex((each) => each.key === key)
      const value = at === -1 ? await start(stop.signal) : (idle.splice(at, 1)[0]?.value as T)
      open.add(value)
      if (stop.signal.aborted) await drop(value)
      stop.signal.throwIfAborted()
      return {
        value,
        back: () => void (open.has(value) && idle.push({ key, value })),
        drop: () => drop(value),
      }
    },
    async close() {
      stop.abort(new Error('the pool was closed'))
      await Promise.all([...open].map(drop))
    },
  }
}
