import type { Frame, FrameFormat } from '../contracts/roles.ts'

/** One reader of shared frames, and its measurements. */
export interface FrameReader extends AsyncIterable<Frame> {
  /** Frames it has read. */
  readonly read: number
  /** Milliseconds it has waited for frames, and for the other readers. */
  readonly waitedMs: number
}

/** Frames that several readers share. */
export interface SharedFrames {
  readonly readers: readonly FrameReader[]
  /** The error of the frames, if they failed. */
  failure(): unknown
  /** Ends the frames for every reader. */
  stop(): Promise<void>
}

interface Waiter {
  resolve(result: IteratorResult<Frame>): void
  reject(reason: unknown): void
}

const end: IteratorResult<Frame> = { done: true, value: undefined }

/** Gives every frame to all readers, one frame at a time: the slowest sets the pace, and no frame is kept. */
export const shareFrames = (frames: AsyncIterable<Frame>, count: number): SharedFrames => {
  const source = frames[Symbol.asyncIterator]()
  const waiting = new Map<number, Waiter>()
  const reading = new Set(Array.from({ length: count }, (_, index) => index))
  let failure: unknown
  let stopped = false
  // The next frame is read once every remaining reader has requested it.
  const advance = async () => {
    if (waiting.size === 0 || waiting.size < reading.size) return
    const waiters = [...waiting.values()]
    waiting.clear()
    try {
      const next = stopped ? end : await source.next()
      stopped ||= next.done === true
      for (const { resolve } of waiters) resolve(next)
    } catch (thrown) {
      failure = thrown
      stopped = true
      for (const { reject } of waiters) reject(thrown)
    }
  }
  const reader = (index: number): FrameReader => {
    const counts = { read: 0, waitedMs: 0 }
    const next = async () => {
      const from = performance.now()
      try {
        const result = await new Promise<IteratorResult<Frame>>((resolve, reject) => {
          waiting.set(index, { resolve, reject })
          void advance()
        })
        if (!result.done) counts.read += 1
        return result
      } finally {
        counts.waitedMs += performance.now() - from
      }
    }
    const leave = async () => {
      reading.delete(index)
      await advance()
      return end
    }
    return Object.assign(counts, { [Symbol.asyncIterator]: () => ({ next, return: leave }) })
  }
  return {
    readers: Array.from({ length: count }, (_, index) => reader(index)),
    failure: () => failure,
    async stop() {
      stopped = true
      await source.return?.()
      for (const { resolve } of waiting.values()) resolve(end)
      waiting.clear()
    },
  }
}

/** The frame formats that all of several lists hold, in the order of the first. */
export const sharedFormats = (lists: readonly (readonly FrameFormat[])[]): FrameFormat[] =>
  (lists[0] ?? []).filter((format) => lists.every((list) => list.includes(format)))
