import { natives, type Realm } from '../realm/natives.ts'
import { replaceAccessor, replaceMethod } from '../realm/replace.ts'
import { installDates } from './dates.ts'
import { dateAt, EPOCH_MS, LOADING_MS, seenAt } from './origin.ts'

/** The time that every window of the page sees. */
export interface Clock {
  /** Milliseconds since the start of the composition. */
  nowMs: number
  /** False until the page begins; the time stays 0 until then. */
  started: boolean
  /** False until the page comes to its first frame. */
  hasMoved: boolean
}

/** The time that the clocks of the page show, in milliseconds. */
export const shownMs = ({ hasMoved, nowMs }: Clock): number => (hasMoved || nowMs > 0 ? seenAt(nowMs) : LOADING_MS)

/** Makes every property and function of a window that returns the time return the clock's. */
export const installClock = (realm: Realm, clock: Clock): void => {
  const read = () => shownMs(clock)
  installDates(realm, () => dateAt(clock.nowMs))
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
