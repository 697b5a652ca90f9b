/** Events by time; those of equal time in the order in which they were added. */
export interface EventQueue {
  readonly add: (time: number, event: number) => void
  /** Takes the first event; undefined when there is none. */
  readonly take: () => QueuedEvent | undefined
}

/** A whole number that stands for what happens, and when. */
export interface QueuedEvent {
  readonly time: number
  readonly order: number
  readonly event: number
}

const isBefore = (a: QueuedEvent, b: QueuedEvent) => a.time < b.time || (a.time === b.time && a.order < b.order)

/** Puts an entry where it belongs on the way from the end of the heap to its root. */
const rise = (heap: QueuedEvent[], entry: QueuedEvent) => {
  let index = heap.length
  heap.push(entry)
  while (index > 0) {
    const above = (index - 1) >> 1
    const parent = heap[above]
    if (!parent || !isBefore(entry, parent)) break
    heap[index] = parent
    index = above
  }
  heap[index] = entry
}

/** Puts an entry where it belongs on the way from the root of the heap to its end. */
const sink = (heap: QueuedEvent[], entry: QueuedEvent) => {
  let index = 0
  for (;;) {
    let below = 2 * index + 1
    let least = heap[below]
    if (!least) break
    const right = heap[below + 1]
    if (right && isBefore(right, least)) {
      below += 1
      least = right
    }
    if (!isBefore(least, entry)) break
    heap[index] = least
    index = below
  }
  heap[index] = entry
}

/** A binary heap of events. */
export const createEventQueue = (): EventQueue => {
  const heap: QueuedEvent[] = []
  let added = 0
  return {
    add: (time, event) => {
      rise(heap, { time, order: added, event })
      added += 1
    },
    take: () => {
      const first = heap[0]
      const last = heap.pop()
      if (last && heap.length > 0) sink(heap, last)
      return first
    },
  }
}
