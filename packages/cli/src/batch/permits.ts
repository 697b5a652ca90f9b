interface Waiting {
  go(): void
  refuse(reason: unknown): void
  isHeld(): boolean
}

/** Lets so many go on at once; the rest wait in the order of their asking, until the signal aborts. */
export const createPermits = (count: number, signal: AbortSignal) => {
  let waiting: Waiting[] = []
  let free = count
  return {
    /** Takes one if it is free. */
    tryTake(): boolean {
      if (free === 0 || signal.aborted) return false
      free -= 1
      return true
    },
    /** Waits for one; `isHeld` says whether whoever waits must get it even after `refuseOthers`. */
    async take(isHeld: () => boolean): Promise<void> {
      signal.throwIfAborted()
      if (free > 0) {
        free -= 1
        return
      }
      let stop = () => {}
      const turn = new Promise<void>((go, refuse) => {
        const own = { go, refuse, isHeld }
        stop = () => {
          waiting = waiting.filter((each) => each !== own)
          refuse(signal.reason)
        }
        signal.addEventListener('abort', stop, { once: true })
        waiting.push(own)
      })
      await turn.finally(() => signal.removeEventListener('abort', stop))
    },
    /** Gives one back, to the first who waits. */
    give(): void {
      const next = waiting.shift()
      if (next) next.go()
      else free += 1
    },
    /** Ends the waiting of all who need not get one. */
    refuseOthers(reason: unknown): void {
      for (const each of waiting) if (!each.isHeld()) each.refuse(reason)
      waiting = waiting.filter(({ isHeld }) => isHeld())
    },
  }
}
