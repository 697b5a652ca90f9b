import { natives, type Realm } from '../realm/natives.ts'
import { replaceAccessor, replaceMethod } from '../realm/replace.ts'
import { EPOCH_MS, installDates } from './dates.ts'

/** The time that every window of the page sees. */
export interface Clock {
  /** Milliseconds since the start of the composition. */
  nowMs: number
  /** False until the page begins; the time stays 0 until then. */
  started: boolean
}

/** Makes every property and function of a window that returns the time return the clock's. */
export const installClock = (realm: Realm, clock: Clock): void => {
  const date = () => EPOCH_MS + Math.floor(clock.nowMs + 1e-6)
  installDates(realm, date)
  replaceMethod(realm.Performance.prototype, 'now', () => clock.nowMs)
  replaceAccessor(realm.Performance.prototype, 'timeOrigin', { get: () => EPOCH_MS })
  replaceAccessor(realm.Event.prototype, 'timeStamp', { get: () => clock.nowMs })
  const timeline = realm.AnimationTimeline.prototype
  const native = Object.getOwnPropertyDescriptor(timeline, 'currentTime')?.get
  replaceAccessor(timeline, 'currentTime', {
    get(this: AnimationTimeline) {
      return this instanceof realm.DocumentTimeline ? clock.nowMs : (native?.call(this) as unknown)
    },
  })
}

/** Real milliseconds, for limits in real time. */
export const realNowMs = (
  (now) => () =>
    now.call(natives.Date)
)(natives.Date.now)
