/** A request in the queue. */
export interface Place {
  /** Resolves when it may run; rejects when it has left, or the queue was closed. */
  readonly turn: Promise<void>
  /** Number of requests ahead; undefined once it runs or has left. */
  position(): number | undefined
  /** Leaves the queue, or frees its slot; the oldest waiting request runs then. */
  leave(): void
}

interface Entry {
  readonly run: () => void
  readonly refuse: (reason: Error) => void
  readonly onPosition: (position: number) => void
  /** The position that was told last. */
  told: number
}

/** First in, first out, with `slots` running at once. */
export const createQueue = (slots: number) => {
  const waiting: Entry[] = []
  let active = 0
  let closed: Error | undefined

  const tellPositions = () => {
    for (const [position, entry] of waiting.entries()) {
      if (entry.told === position) continue
      entry.told = position
      entry.onPosition(position)
    }
  }
  const startWaiting = () => {
    while (closed === undefined && active < slots) {
      const next = waiting.shift()
      if (!next) break
      active += 1
      next.run()
    }
    tellPositions()
  }
  return {
    active: () => active,
    waiting: () => waiting.length,
    /** Whether one more request would be one too many that wait. */
    isFull: (maxWaiting: number) => active >= slots && waiting.length >= maxWaiting,
    /** Enters at the end; `onPosition` is called with the number of requests ahead, at first and when it changes. */
    enter(onPosition: (position: number) => void): Place {
      let resolve = () => {}
      let reject: (reason: Error) => void = () => {}
      const turn = new Promise<void>((...both) => {
        ;[resolve, reject] = both
      })
      turn.catch(() => {})
      let state: 'waiting' | 'running' | 'left' = 'waiting'
      const entry: Entry = {
        run: () => {
          state = 'running'
          resolve()
        },
        refuse: reject,
        onPosition,
        told: -1,
      }
      if (closed) reject(closed)
      else waiting.push(entry)
      startWaiting()
      return {
        turn,
        position: () => (state === 'waiting' ? waiting.indexOf(entry) : undefined),
        leave() {
          if (state === 'running') active -= 1
          const index = state === 'waiting' ? waiting.indexOf(entry) : -1
          if (index >= 0) waiting.splice(index, 1)
          state = 'left'
          reject(new Error('it left the queue'))
          startWaiting()
        },
      }
    },
    /** Lets nothing run any more: waiting requests are refused with `reason`, running ones go on. */
    close(reason: Error) {
      closed = reason
      for (const entry of waiting.splice(0)) entry.refuse(reason)
    },
  }
}
