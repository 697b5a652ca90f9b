import { definePlugin, type PluginOf } from '@vid/kernel'
import { createPermits } from './permits.ts'

/** What a row fails with that asks for its first turn when none is given any more. */
export const noTurn = new Error('no turn is given any more')

/** A row needs about this with two encoders and two browsers at 1080p, in bytes. */
const ROW_BYTES = 2 * 2 ** 30

/** Whether rows may capture while as many others are still encoded. */
export const hasRoomToOverlap = (rows: number, memoryBytes: number): boolean =>
  rows * ROW_BYTES <= memoryBytes / 2

/** One row's right to open its page, and then to capture. */
export interface Turn {
  /** Whether it has had a turn to capture. */
  hasBegun(): boolean
  /** Milliseconds that it has waited to capture so far. */
  waitedMs(): number
  /** Waits for a turn to capture, unless it has one; rejects with the reason of an abort, or with `noTurn`. */
  take(): Promise<void>
  /** Lets the next row capture: all frames of this one are taken, and its encoder has the rest to do. */
  captured(): void
  /** Lets the next row capture, and one more open its page. */
  pass(): void
  /** Counts as its first turn what failed before it. */
  begin(): void
}

/** Lets so many rows capture at once, in the order of their asking, and one more get ready meanwhile. */
export const createTurns = (count: number, signal: AbortSignal) => {
  const pages = createPermits(count + 1, signal)
  const captures = createPermits(count, signal)
  let closed = false
  // Rows that have a page and have not captured.
  let preparing = 0

  const open = (onBegin: () => void): Turn => {
    let holdsPage = true
    let holdsCapture = false
    let begun = false
    let waitedMs = 0
    preparing += 1
    const begin = () => {
      if (begun) return
      begun = true
      preparing -= 1
      onBegin()
    }
    const hold = () => {
      holdsCapture = true
      begin()
    }
    // One that is ahead of this row must not wait until it is ready.
    if (preparing === 1 && captures.tryTake()) hold()
    return {
      hasBegun: () => begun,
      begin,
      waitedMs: () => waitedMs,
      async take() {
        if (holdsCapture) return
        if (closed && !begun) throw noTurn
        const from = performance.now()
        await captures.take(() => begun)
        waitedMs += performance.now() - from
        hold()
      },
      captured() {
        if (holdsCapture) captures.give()
        holdsCapture = false
      },
      pass() {
        if (!begun) preparing -= 1
        begun = true
        if (holdsCapture) captures.give()
        if (holdsPage) pages.give()
        holdsCapture = false
        holdsPage = false
      },
    }
  }
  return {
    /**
     * Waits until a row may open its page. Its first turn to capture may come with it; `onBegin` is told of that one
     * whenever it comes. Undefined when no row begins any more.
     */
    async enter(onBegin: () => void): Promise<Turn | undefined> {
      if (closed || signal.aborted) return undefined
      try {
        await pages.take(() => false)
      } catch {
        return undefined
      }
      if (!closed && !signal.aborted) return open(onBegin)
      pages.give()
      return undefined
    },
    isClosed: () => closed,
    /** Gives no turn any more to a row that has had none. */
    close() {
      closed = true
      pages.refuseOthers(noTurn)
      captures.refuseOthers(noTurn)
    },
  }
}

/** Holds a render back, once it is planned, until its row has its turn. */
export const holdBack = ({ take }: Turn): PluginOf<'plugin'> =>
  definePlugin({
    name: '@vid/cli',
    setup(hooks) {
      const tap = { name: '@vid/cli', stage: Number.MIN_SAFE_INTEGER }
      hooks.execute.tapPromise(tap, async () => {
        await take()
        return undefined
      })
    },
  })()
