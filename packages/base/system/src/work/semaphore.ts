/** How a slot is waited for. */
export interface AcquireOptions {
  /** Leaves the queue; its reason is thrown then. */
  readonly signal?: AbortSignal | undefined
  /** Called with the number of waiters ahead, at first and when it changes. */
  onPosition?(position: number): void
  /** Whether this waiter gets a slot even after `refuseWaiters`. */
  isEntitled?(): boolean
}

interface Waiter extends AcquireOptions {
  readonly start: () => void
  readonly refuse: (reason: unknown) => void
  position: number | undefined
}

/** Frees a slot, once. */
export type Release = () => void

/** Those who wait for a slot, in order. */
const createWaiters = () => {
  let waiters: Waiter[] = []
  const updatePositions = () => {
    for (const [position, waiter] of waiters.entries()) {
      if (waiter.position === position) continue
      waiter.position = position
      waiter.onPosition?.(position)
    }
  }
  return {
    count: () => waiters.length,
    /** Waits for `next`, which takes the slot at once. */
    wait: ({ signal, ...options }: AcquireOptions, take: () => Release): Promise<Release> =>
      new Promise((resolve, reject) => {
        const leave = () => {
          waiters = waiters.filter((other) => other !== waiter)
          reject(signal?.reason)
          updatePositions()
        }
        const stopListening = () => signal?.removeEventListener('abort', leave)
        const waiter: Waiter = {
          ...options,
          position: undefined,
          start() {
            stopListening()
            resolve(take())
          },
          refuse(reason) {
            stopListening()
            reject(reason)
          },
        }
        signal?.addEventListener('abort', leave, { once: true })
        waiters.push(waiter)
        updatePositions()
      }),
    next() {
      waiters.shift()?.start()
      updatePositions()
    },
    refuse(reason: unknown) {
      const refusedWaiters = waiters.filter((waiter) => !waiter.isEntitled?.())
      waiters = waiters.filter((waiter) => !refusedWaiters.includes(waiter))
      for (const waiter of refusedWaiters) waiter.refuse(reason)
      updatePositions()
    },
  }
}

/** A semaphore with `count` slots, acquired in the order of asking. */
export const createSemaphore = (count: number) => {
  const waiters = createWaiters()
  let active = 0
  const take = (): Release => {
    active += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      active -= 1
      waiters.next()
    }
  }
  const acquire = async (options: AcquireOptions = {}): Promise<Release> => {
    options.signal?.throwIfAborted()
    return active < count ? take() : waiters.wait(options, take)
  }
  return {
    /** Slots in use. */
    active: () => active,
    waiting: () => waiters.count(),
    isFull: () => active >= count,
    /** Acquires a slot if one is free. */
    tryAcquire: (): Release | undefined => (active < count ? take() : undefined),
    /** Waits for a slot. */
    acquire,
    /** Does work in a slot. */
    async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const release = await acquire({ signal })
      try {
        return await work()
      } finally {
        release()
      }
    },
    /** Refuses all waiters that are not entitled to a slot. */
    refuseWaiters: waiters.refuse,
  }
}

/** A fixed number of slots, acquired in the order of asking. */
export type Semaphore = ReturnType<typeof createSemaphore>
