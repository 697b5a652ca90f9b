interface Waiter {
  resolve(): void
  reject(reason: unknown): void
  isEntitled(): boolean
}

/** A semaphore with `count` permits, acquired in the order of asking, until the signal aborts. */
export const createSemaphore = (count: number, signal: AbortSignal) => {
  let waiters: Waiter[] = []
  let free = count
  return {
    /** Acquires a permit if one is free. */
    tryAcquire(): boolean {
      if (free === 0 || signal.aborted) return false
      free -= 1
      return true
    },
    /**
     * Waits for a permit, at most until `waitSignal` aborts; `isEntitled` says whether the waiter must get one even after
     * `rejectOthers`.
     */
    async acquire(isEntitled: () => boolean, waitSignal: AbortSignal = signal): Promise<void> {
      const signals = [...new Set([signal, waitSignal])]
      for (const signal of signals) signal.throwIfAborted()
      if (free > 0) {
        free -= 1
        return
      }
      let stopListening = () => {}
      const acquired = new Promise<void>((resolve, reject) => {
        const waiter = { resolve, reject, isEntitled }
        const onAbort = ({ target }: Event) => {
          waiters = waiters.filter((other) => other !== waiter)
          reject((target as AbortSignal).reason)
        }
        stopListening = () => {
          for (const signal of signals) signal.removeEventListener('abort', onAbort)
        }
        for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true })
        waiters.push(waiter)
      })
      await acquired.finally(stopListening)
    },
    /** Returns a permit, to the first waiter. */
    release(): void {
      const next = waiters.shift()
      if (next) next.resolve()
      else free += 1
    },
    /** Rejects all waiters that are not entitled to a permit. */
    rejectOthers(reason: unknown): void {
      for (const waiter of waiters) if (!waiter.isEntitled()) waiter.reject(reason)
      waiters = waiters.filter(({ isEntitled }) => isEntitled())
    },
  }
}
