import { createSequence } from '@vid/protocol'
import { untilAborted } from '@vid/system'

/** Work in the background: one at a time, and none while somebody waits for something else that is captured. */
export interface Background {
  /** Runs work when nothing else is captured; work that was stopped for something else begins again. */
  run<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Runs what somebody waits for. */
  first<T>(work: () => Promise<T>): Promise<T>
}

/** Makes the background of one preview. */
export const createBackground = (): Background => {
  const inTurn = createSequence()
  let waiting = 0
  let running: AbortController | undefined
  let quiet: Promise<void> = Promise.resolve()
  let becomeQuiet = () => {}

  const untilQuiet = async (signal: AbortSignal) => {
    signal.throwIfAborted()
    while (waiting > 0) await untilAborted(quiet, signal)
    signal.throwIfAborted()
  }
  return {
    run: (work, signal) =>
      inTurn(async () => {
        for (;;) {
          await untilQuiet(signal)
          const stop = new AbortController()
          running = stop
          try {
            return await work(AbortSignal.any([signal, stop.signal]))
          } catch (thrown) {
            if (signal.aborted || !stop.signal.aborted) throw thrown
          } finally {
            running = undefined
          }
        }
      }),
    async first(work) {
      if (waiting === 0)
        quiet = new Promise((resolve) => {
          becomeQuiet = resolve
        })
      waiting += 1
      running?.abort(new Error('something else is captured'))
      try {
        return await work()
      } finally {
        waiting -= 1
        if (waiting === 0) becomeQuiet()
      }
    },
  }
}
