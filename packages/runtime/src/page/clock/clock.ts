import { natives, type Realm } from '../realm/natives.ts'
import { replaceAccessor, replaceMethod } from '../realm/replace.ts'
import { EPOCH_MS, installDates } from './dates.ts'

/** The time that every window of the page sees. */
export interface Clock {
  /** Milliseconds since the start of the composition. */
  nowMs: number
  /** False until the page begins; the time stays 0 until then. */
  started: boolean
  /** How often scripts have read the time. */
  reads: number
}

/** The time for a script that reads it, in milliseconds. */
export const readMs = (clock: Clock): number => {
  clock.reads++
  return clock.nowMs
}

/** Makes every property and function of a window that returns the time return the clock's. */
export const installClock = (realm: Realm, clock: Clock): void => {
  const read = () => readMs(clock)
  const date = () => EPOCH_MS + Math.floor(read() + 1e-6)
  installDates(realm, date)
  replaceMethod(realm.Performance.prototype, 'now', read)
  replaceAccessor(realm.Performance.prototype, 'timeOrigin', { get: () => EPOCH_MS })
  replaceAccessor(realm.Event.prototype, 'timeStamp', { get: read })
  const timeline = realm.AnimationTimeline.prototype
  const native = Object.getOwnPropertyDescriptor(timeline, 'currentTime')?.get
  replaceAccessor(timeline, 'currentTime', {
    get(this: AnimationTimeline) {
      return this instanceof realm.DocumentTimeline ? read() : (native?.call(this) as unknown)
    },
  })
}

/** Real milliseconds, for limits in real time. */
export const realNowMs = (
  (now) => () =>
    now.call(natives.Date)
)(natives.Date.now)
