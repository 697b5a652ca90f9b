import { natives, type Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'

/** The queue behind the timer functions of windows. */
export interface TimerFunctions {
  /** Schedules a call and returns its id. */
  add(realm: Realm, handler: unknown, call: () => void, wait: unknown, repeats: boolean): number
  remove(id: number): void
  /** Removes all timers of a window. */
  removeOf(realm: Realm): void
}

const IDLE_DEADLINE: IdleDeadline = { didTimeout: false, timeRemaining: () => 50 }

/** Replaces the timer functions of a window. */
export const installTimerFunctions = (realm: Realm, { add, remove, removeOf }: TimerFunctions): void => {
  const start =
    (repeats: boolean) =>
    (handler: TimerHandler, wait?: number, ...args: unknown[]): number => {
      const call = typeof handler === 'function' ? () => handler.apply(realm, args) : () => realm.eval(String(handler))
      return add(realm, handler, call, wait, repeats)
    }
  replaceMethod(realm, 'setTimeout', start(false) as typeof realm.setTimeout)
  replaceMethod(realm, 'setInterval', start(true) as typeof realm.setInterval)
  replaceMethod(realm, 'clearTimeout', (id) => remove(Number(id)))
  replaceMethod(realm, 'clearInterval', (id) => remove(Number(id)))
  replaceMethod(realm, 'requestIdleCallback', (callback) =>
    add(realm, callback, () => callback(IDLE_DEADLINE), 1, false),
  )
  replaceMethod(realm, 'cancelIdleCallback', (id) => remove(id))
  natives.listen.call(realm, 'pagehide', () => removeOf(realm))
}
