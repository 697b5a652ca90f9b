import { definePlugin, type PluginOf } from '@vid/kernel'

/** What a row fails with that asks for its first turn when none is given any more. */
export const noTurn = new Error('no turn is given any more')

/** One row's right to capture. */
export interface Turn {
  /** Whether it has had a turn. */
  hasBegun(): boolean
  /** Milliseconds that it has waited so far. */
  waitedMs(): number
  /** Waits for a turn, unless it has one; rejects with the reason of an abort, or with `noTurn`. */
  take(): Promise<void>
  /** Lets the next row capture. */
  pass(): void
  /** Counts as its first turn what failed before it. */
  begin(): void
}

interface Waiting {
  go(): void
  refuse(reason: unknown): void
  hasBegun(): boolean
}

/** Lets so many rows capture at once, in the order of their asking, while others get ready or are put together. */
export const createTurns = (count: number, signal: AbortSignal) => {
  let waiting: Waiting[] = []
  let free = count
  let closed = false

  const queue = async (hasBegun: () => boolean) => {
    let stop = () => {}
    const turn = new Promise<void>((go, refuse) => {
      const own = { go, refuse, hasBegun }
      stop = () => {
        waiting = waiting.filter((each) => each !== own)
        refuse(signal.reason)
      }
      signal.addEventListener('abort', stop, { once: true })
      waiting.push(own)
    })
    await turn.finally(() => signal.removeEventListener('abort', stop))
  }
  return {
    /** The turns of a row, which has its first at once when one is free; `onBegin` is told of that first one. */
    enter(onBegin: () => void): Turn {
      let holds = false
      let begun = false
      let waitedMs = 0
      const hasBegun = () => begun
      const begin = () => {
        if (begun) return
        begun = true
        onBegin()
      }
      const hold = () => {
        holds = true
        begin()
      }
      const takeFree = () => {
        if (free === 0 || signal.aborted || (closed && !begun)) return false
        free -= 1
        hold()
        return true
      }
      takeFree()
      return {
        hasBegun,
        begin,
        waitedMs: () => waitedMs,
        async take() {
          if (holds || takeFree()) return
          signal.throwIfAborted()
          if (closed && !begun) throw noTurn
          const from = performance.now()
          await queue(hasBegun)
          waitedMs += performance.now() - from
          hold()
        },
        pass() {
          if (!holds) return
          holds = false
          const next = waiting.shift()
          if (next) next.go()
          else free += 1
        },
      }
    },
    isClosed: () => closed,
    /** Gives no turn any more to a row that has had none. */
    close() {
      closed = true
      for (const each of waiting) if (!each.hasBegun()) each.refuse(noTurn)
      waiting = waiting.filter(({ hasBegun }) => hasBegun())
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
