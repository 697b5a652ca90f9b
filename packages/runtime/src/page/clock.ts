import { natives, type Realm, replaceAccessor, replaceMethod } from './natives.ts'

/** The date that every page sees at time 0: 2025-01-01T00:00:00Z. */
export const EPOCH_MS = 1735689600000

/** The one time that every window of the page sees. */
export interface Clock {
  /** Milliseconds since the start of the composition. */
  nowMs: number
  /** False until the page begins; the time stays 0 until then. */
  started: boolean
}

const installDate = (realm: Realm, now: () => number): void => {
  const Native = realm.Date
  replaceMethod(Native, 'now', now)
  const Virtual = new Proxy(Native, {
    apply: () => new Native(now()).toString(),
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length ? args : [now()], newTarget) as object,
  })
  Native.prototype.constructor = Virtual
  Object.defineProperty(realm, 'Date', { value: Virtual, writable: true, configurable: true })
}

const installIntl = (realm: Realm, now: () => number): void => {
  const proto = realm.Intl.DateTimeFormat.prototype
  const format = Object.getOwnPropertyDescriptor(proto, 'format')?.get
  const { formatToParts } = proto
  if (format)
    replaceAccessor(proto, 'format', {
      get(this: Intl.DateTimeFormat) {
        const bound = format.call(this) as (date?: Date | number) => string
        return (date?: Date | number) => bound(date ?? now())
      },
    })
  replaceMethod(proto, 'formatToParts', function (this: Intl.DateTimeFormat, date) {
    return formatToParts.call(this, date ?? now())
  })
}

interface TemporalLike {
  Instant: {
    fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(zone: string): Record<string, () => unknown> }
  }
  Now: Record<string, (zone?: string) => unknown> & { timeZoneId(): string }
}

const installTemporal = (realm: Realm, now: () => number): void => {
  const temporal = (realm as unknown as { Temporal?: TemporalLike }).Temporal
  if (!temporal) return
  const instant = () => temporal.Instant.fromEpochMilliseconds(now())
  const zoned = (zone?: string) => instant().toZonedDateTimeISO(zone ?? temporal.Now.timeZoneId())
  temporal.Now.instant = instant
  temporal.Now.zonedDateTimeISO = zoned
  temporal.Now.plainDateTimeISO = (zone) => zoned(zone).toPlainDateTime?.()
  temporal.Now.plainDateISO = (zone) => zoned(zone).toPlainDate?.()
  temporal.Now.plainTimeISO = (zone) => zoned(zone).toPlainTime?.()
}

/** Makes every way of asking a window for the time answer with the clock. */
export const installClock = (realm: Realm, clock: Clock): void => {
  const date = () => EPOCH_MS + Math.floor(clock.nowMs + 1e-6)
  installDate(realm, date)
  installIntl(realm, date)
  installTemporal(realm, date)
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

/** Real milliseconds, for what must be bounded in the world outside. */
export const realNowMs = (
  (now) => () =>
    now.call(natives.Date)
)(natives.Date.now)
