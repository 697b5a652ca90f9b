import type { PageErrors } from '../errors.ts'
import { natives, nextTask, type Realm } from '../natives.ts'
import { replaceMethod } from '../replace.ts'
import type { Clock } from './clock.ts'

interface Timer {
  readonly id: number
  readonly realm: Realm
  /** What the page gave to be called. */
  readonly handler: unknown
  readonly call: () => void
  readonly delay: number
  readonly repeats: boolean
  readonly nesting: number
  /** True when made while a frame was being shown: it may run before that frame counts as done. */
  readonly scoped: boolean
  /** True of what runs as soon as it can, in the frame in which it was asked for. */
  readonly isSoon: boolean
  due: number
  order: number
  /** Set while it runs in real time. */
  native: number | undefined
}

/** `setTimeout`, `setInterval` and `requestIdleCallback` on the clock. */
export interface Timers {
  install(realm: Realm): void
  /** Runs all that is due up to a time, in order, with the clock at each one's due time. */
  runUntil(timeMs: number): Promise<void>
  readonly size: number
  /** True while a timer that is due now has not run. */
  hasDue(): boolean
  /** Runs at once what a page gave to be called, if it matches. */
  runMatching(matches: (handler: unknown) => boolean): void
  /** Which timers run in real time, with the clock standing, because something waits for them. */
  release(which: 'none' | 'scoped' | 'all'): void
  /** Queues a call for the next task, as a message is: of these a great many run at one time before the clock goes on. */
  soon(realm: Realm, call: () => void): void
  /** Runs what is queued for the next task, until the clock must go on. */
  runSoon(): Promise<void>
  /** While set, new timers belong to the frame that is being shown. */
  scope: boolean
}

/** A timer nested deeper than this waits at least 4 ms, as in browsers; so no chain of timers is endless within a frame. */
const CLAMPED_NESTING = 5

/** Messages in a row at one time; those that follow are 4 ms apart from them, so that no loop of messages is endless. */
const MOST_SOON = 250

/** Makes the queue of timers that all windows share. */
export const createTimers = (clock: Clock, errors: PageErrors): Timers => {
  const queue: Timer[] = []
  let lastId = 0
  let lastOrder = 0
  let nesting = 0
  let draining = false
  let soonAtMs = -1
  let soonCount = 0
  let released: 'none' | 'scoped' | 'all' = 'none'

  const insert = (timer: Timer) => {
    timer.order = ++lastOrder
    let at = queue.length
    for (let before = queue[at - 1]; before && before.due > timer.due; before = queue[at - 1]) at--
    queue.splice(at, 0, timer)
    if (!clock.started && timer.due <= clock.nowMs) void drain()
    free(timer)
  }

  const remove = (id: number) => {
    const at = queue.findIndex((timer) => timer.id === id)
    const [timer] = at < 0 ? [] : queue.splice(at, 1)
    if (timer) natives.clearTimeout(timer.native)
  }

  const fire = (timer: Timer) => {
    remove(timer.id)
    if (timer.repeats) {
      const delay = timer.nesting >= CLAMPED_NESTING ? Math.max(timer.delay, 4) : timer.delay
      insert({ ...timer, nesting: timer.nesting + 1, due: clock.nowMs + delay, native: undefined })
    }
    if (timer.realm.closed) return remove(timer.id)
    nesting = timer.nesting
    errors.guard(timer.realm, timer.call)
  }

  const fireNow = async (timer: Timer) => {
    fire(timer)
    await nextTask()
    nesting = 0
  }

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

  const free = (timer: Timer) => {
    const wanted = released === 'all' || (released === 'scoped' && timer.scoped)
    if (!wanted || timer.native !== undefined) return
    timer.native = natives.setTimeout(() => void fireNow(timer), timer.due - clock.nowMs)
  }

  const add = (realm: Realm, handler: unknown, call: () => void, wait: unknown, repeats: boolean) => {
    const asked = Math.trunc(Number(wait)) || 0
    const within = asked > 0x7fffffff ? 0 : Math.max(0, asked)
    const delay = nesting >= CLAMPED_NESTING ? Math.max(4, within) : repeats ? Math.max(1, within) : within
    const due = clock.nowMs + delay
    const id = ++lastId
    insert({
      id,
      realm,
      handler,
      call,
      delay,
      repeats,
      nesting: nesting + 1,
      scoped: timers.scope,
      isSoon: false,
      due,
      order: 0,
      native: undefined,
    })
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
        if (which !== 'none') free(timer)
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
      }
      nesting = 0
      clock.nowMs = timeMs
    },
    soon(realm, call) {
      if (soonAtMs !== clock.nowMs) soonCount = 0
      soonAtMs = clock.nowMs
      const delay = soonCount++ < MOST_SOON ? 0 : 4
      const due = clock.nowMs + delay
      const id = ++lastId
      const { scope: scoped } = timers
      const facts = { handler: call, call, delay, repeats: false, nesting, scoped, isSoon: true }
      insert({ id, realm, ...facts, due, order: 0, native: undefined })
    },
    async runSoon() {
      for (;;) {
        const first = queue.find(({ isSoon, due }) => isSoon && due <= clock.nowMs + 1e-6)
        if (!first) break
        fire(first)
        await nextTask()
      }
      nesting = 0
    },
    install(realm) {
      const start =
        (repeats: boolean) =>
        (handler: TimerHandler, wait?: number, ...args: unknown[]): number =>
          add(
            realm,
            handler,
            typeof handler === 'function'
              ? () => handler.apply(realm, args)
              : () => realm.eval(String(handler)),
            wait,
            repeats,
          )
      replaceMethod(realm, 'setTimeout', start(false) as typeof realm.setTimeout)
      replaceMethod(realm, 'setInterval', start(true) as typeof realm.setInterval)
      replaceMethod(realm, 'clearTimeout', (id) => remove(Number(id)))
      replaceMethod(realm, 'clearInterval', (id) => remove(Number(id)))
      replaceMethod(realm, 'requestIdleCallback', (callback) =>
        add(realm, callback, () => callback({ didTimeout: false, timeRemaining: () => 50 }), 1, false),
      )
      replaceMethod(realm, 'cancelIdleCallback', (id) => remove(id))
      natives.listen.call(realm, 'pagehide', () => {
        for (const timer of queue.filter((each) => each.realm === realm)) remove(timer.id)
      })
    },
  }
  return timers
}
