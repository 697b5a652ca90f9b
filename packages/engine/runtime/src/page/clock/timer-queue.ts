import { natives, type Realm } from '../realm/natives.ts'

/** One call that the page has scheduled; times are milliseconds of the clock. */
export interface Timer {
  readonly id: number
  readonly realm: Realm
  /** The function or text that the page passed. */
  readonly handler: unknown
  readonly call: () => void
  readonly delay: number
  readonly repeats: boolean
  /** Nesting depth: how many timers created each other before this one. */
  readonly nesting: number
  /** True if it was created while a frame was being shown; it may run before that frame is done. */
  readonly scoped: boolean
  /** True of a task, which runs in the frame in which it was queued. */
  readonly isTask: boolean
  readonly due: number
  /** The browser's own timer, set while this one runs in real time. */
  native: number | undefined
}

/** Timers in the order in which they are due, those of one time in the order of their insertion. */
export const createTimerQueue = () => {
  const timers: Timer[] = []
  return {
    timers: timers as readonly Timer[],
    insert(timer: Timer): void {
      let index = timers.length
      for (let before = timers[index - 1]; before && before.due > timer.due; before = timers[index - 1]) index--
      timers.splice(index, 0, timer)
    },
    remove(id: number): void {
      const index = timers.findIndex((timer) => timer.id === id)
      const [timer] = index < 0 ? [] : timers.splice(index, 1)
      if (timer) natives.clearTimeout(timer.native)
    },
  }
}
