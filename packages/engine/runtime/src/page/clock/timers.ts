import { natives, nextTask, type Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import type { Clock } from './clock.ts'
import { installTimerFunctions } from './timer-functions.ts'
import { createTimerQueue, type Timer } from './timer-queue.ts'

/** The callbacks that run in real time while the clock is stopped, because something waits for them. */
export type Released = 'none' | 'scoped' | 'all'

/** `setTimeout`, `setInterval` and `requestIdleCallback` on the clock. */
export interface Timers {
  install(realm: Realm): void
  /** Runs all timers that are due up to a time, in order, with the clock at each timer's due time. */
  runUntil(timeMs: number): Promise<void>
  readonly size: number
  /** True while a timer that is due now has not run. */
  hasDue(): boolean
  /** Runs the timers whose handler matches, at once. */
  runMatching(matches: (handler: unknown) => boolean): void
  /** Sets which timers run in real time. */
  release(which: Released): void
  /** Queues a call as a task, like a message; many of these may run at one time before the clock advances. */
  queueTask(realm: Realm, call: () => void): void
  /** Runs queued tasks until the clock must advance. */
  runTasks(): Promise<void>
  /** While set, new timers belong to the frame that is being shown. */
  scope: boolean
}

/** A timer nested deeper waits at least 4 ms, as in browsers, so that no chain of timers is endless within a frame. */
const CLAMPED_NESTING = 5
const MIN_NESTED_MS = 4

/** Tasks in a row at one time; later ones are 4 ms apart from them, so that no loop of messages is endless. */
const MAX_TASKS = 250

const MAX_DELAY_MS = 0x7fffffff

type Scheduled = Pick<Timer, 'realm' | 'handler' | 'call' | 'delay' | 'repeats' | 'nesting' | 'isTask'>

const delayOf = (wait: unknown, nesting: number, repeats: boolean): number => {
  const milliseconds = Math.trunc(Number(wait)) || 0
  const delay = milliseconds > MAX_DELAY_MS ? 0 : Math.max(0, milliseconds)
  if (nesting >= CLAMPED_NESTING) return Math.max(MIN_NESTED_MS, delay)
  return repeats ? Math.max(1, delay) : delay
}

/** Counts the tasks queued at one time, to delay those above the limit. */
const createTaskDelay = (clock: Clock) => {
  let atMs = -1
  let count = 0
  return (): number => {
    if (atMs !== clock.nowMs) count = 0
    atMs = clock.nowMs
    return count++ < MAX_TASKS ? 0 : MIN_NESTED_MS
  }
}

/** Creates the queue of timers that all windows share. */
export const createTimers = (
  clock: Clock,
  errors: PageErrors,
  /** Resolves when the work has ended that the browser does for the page, before the clock goes on. */
  settleWork: () => Promise<void>,
): Timers => {
  const { timers: queue, insert: enqueue, remove } = createTimerQueue()
  const taskDelay = createTaskDelay(clock)
  let lastId = 0
  let nesting = 0
  let draining = false
  let released: Released = 'none'

  const startNative = (timer: Timer) => {
    const isReleased = released === 'all' || (released === 'scoped' && timer.scoped)
    if (!isReleased || timer.native !== undefined) return
    timer.native = natives.setTimeout(() => void fireInTask(timer), timer.due - clock.nowMs)
  }
  const insert = (timer: Timer) => {
    enqueue(timer)
    if (!clock.started && timer.due <= clock.nowMs) void drain()
    startNative(timer)
  }
  const fire = (timer: Timer) => {
    remove(timer.id)
    if (timer.repeats) {
      const delay = timer.nesting >= CLAMPED_NESTING ? Math.max(timer.delay, MIN_NESTED_MS) : timer.delay
      insert({ ...timer, nesting: timer.nesting + 1, due: clock.nowMs + delay, native: undefined })
    }
    if (timer.realm.closed) return remove(timer.id)
    nesting = timer.nesting
    errors.guard(timer.realm, timer.call)
  }
  const fireInTask = async (timer: Timer) => {
    fire(timer)
    await nextTask()
    nesting = 0
  }
  /** Runs the timers of a loading page that are due at time 0. */
  const drain = async () => {
    if (draining) return
    draining = true
    for (;;) {
      await nextTask()
      nesting = 0
      const first = queue[0]
      if (clock.started || !first || first.due > clock.nowMs) break
      fire(first)
    }
    draining = false
  }

  const schedule = (scheduled: Scheduled): number => {
    const id = ++lastId
    const due = clock.nowMs + scheduled.delay
    insert({ ...scheduled, id, due, scoped: timers.scope, native: undefined })
    return id
  }

  const timers: Timers = {
    scope: false,
    get size() {
      return queue.length
    },
    hasDue: () => (queue[0]?.due ?? Infinity) <= clock.nowMs,
    runMatching(matches) {
      for (const timer of queue.filter(({ handler }) => matches(handler))) fire(timer)
      nesting = 0
    },
    release(which) {
      released = which
      for (const timer of queue) {
        if (which !== 'none') startNative(timer)
        else if (timer.native !== undefined) {
          natives.clearTimeout(timer.native)
          timer.native = undefined
        }
      }
    },
    async runUntil(timeMs) {
      for (let first = queue[0]; first && first.due <= timeMs + 1e-6; first = queue[0]) {
        clock.nowMs = Math.max(clock.nowMs, Math.min(first.due, timeMs))
        fire(first)
        await nextTask()
        nesting = 0
        await settleWork()
      }
      clock.nowMs = timeMs
    },
    queueTask(realm, call) {
      schedule({ realm, handler: call, call, delay: taskDelay(), repeats: false, nesting, isTask: true })
    },
    async runTasks() {
      for (;;) {
        const first = queue.find(({ isTask, due }) => isTask && due <= clock.nowMs + 1e-6)
        if (!first) break
        fire(first)
        await nextTask()
      }
      nesting = 0
    },
    install(realm) {
      installTimerFunctions(realm, {
        add(owner, handler, call, wait, repeats) {
          const delay = delayOf(wait, nesting, repeats)
          const depth = nesting + 1
          return schedule({ realm: owner, handler, call, delay, repeats, nesting: depth, isTask: false })
        },
        remove,
        removeOf(owner) {
          for (const timer of queue.filter((entry) => entry.realm === owner)) remove(timer.id)
        },
      })
    },
  }
  return timers
}
