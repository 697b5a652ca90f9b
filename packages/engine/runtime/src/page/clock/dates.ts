import { replaceAccessor, replaceMethod } from '../realm/replace.ts'

/** The parts of a window or a worker that read the date. */
type DatedRealm = Pick<typeof globalThis, 'Date' | 'Intl'>

const installDate = (realm: DatedRealm, now: () => number): void => {
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

const installIntl = (realm: DatedRealm, now: () => number): void => {
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

const installTemporal = (realm: DatedRealm, now: () => number): void => {
  const temporal = (realm as { Temporal?: TemporalLike }).Temporal
  if (!temporal) return
  const instant = () => temporal.Instant.fromEpochMilliseconds(now())
  const zoned = (zone?: string) => instant().toZonedDateTimeISO(zone ?? temporal.Now.timeZoneId())
  temporal.Now.instant = instant
  temporal.Now.zonedDateTimeISO = zoned
  temporal.Now.plainDateTimeISO = (zone) => zoned(zone).toPlainDateTime?.()
  temporal.Now.plainDateISO = (zone) => zoned(zone).toPlainDate?.()
  temporal.Now.plainTimeISO = (zone) => zoned(zone).toPlainTime?.()
}

/** Makes the dates of a window or a worker follow `now`, in milliseconds. */
export const installDates = (realm: DatedRealm, now: () => number): void => {
  installDate(realm, now)
  installIntl(realm, now)
  installTemporal(realm, now)
}
