import { replaceMethod } from '../realm/replace.ts'

/** Language and time zone of a render, whatever those of the viewer are. */
const LOCALE = 'en-US'
const TIME_ZONE = 'UTC'

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Methods that take a language as first argument; for dates, the second one has a time zone. */
const TO_LOCALE: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [Number.prototype, ['toLocaleString']],
  [BigInt.prototype, ['toLocaleString']],
  [Date.prototype, ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']],
  [String.prototype, ['toLocaleUpperCase', 'toLocaleLowerCase']],
]

/** Parts of a date that are read or written in the time zone of the machine. */
const PARTS = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'] as const

const methodsOf = (owner: object) => owner as Record<string, Method>

const inZone = (options: unknown): object => ({ timeZone: TIME_ZONE, ...(options as object | undefined) })

/** Makes constructors and functions with a language use that of a render by default. */
const installLanguage = (): void => {
  for (const [owner, names] of TO_LOCALE)
    for (const name of names) {
      const native = methodsOf(owner)[name] as Method
      const isDate = owner === Date.prototype
      replaceMethod(methodsOf(owner), name, function (locales = LOCALE, options) {
        return native.call(this, locales, isDate ? inZone(options) : options)
      })
    }
  const text = methodsOf(String.prototype)
  const compare = text.localeCompare as Method
  replaceMethod(text, 'localeCompare', function (other, locales = LOCALE, options) {
    return compare.call(this, other, locales, options)
  })
  for (const name of Object.getOwnPropertyNames(Intl)) {
    const native: unknown = Reflect.get(Intl, name)
    if (typeof native !== 'function' || !('supportedLocalesOf' in native)) continue
    const filled = ([locales = LOCALE, options]: unknown[]) =>
      options === undefined && name !== 'DateTimeFormat'
        ? [locales]
        : [locales, name === 'DateTimeFormat' ? inZone(options) : options]
    const wrapped: object = new Proxy(native, {
      apply: (target, self, args: unknown[]) => Reflect.apply(target, self, filled(args)) as unknown,
      construct: (target, args: unknown[], newTarget) =>
        Reflect.construct(target, filled(args), newTarget === wrapped ? target : newTarget) as object,
    })
    Object.defineProperty(Intl, name, { value: wrapped, writable: true, configurable: true })
    Object.defineProperty(native.prototype, 'constructor', {
      value: wrapped,
      writable: true,
      configurable: true,
    })
  }
  for (const [key, value] of [
    ['language', LOCALE],
    ['languages', Object.freeze([LOCALE])],
  ] as const)
    Object.defineProperty(Navigator.prototype, key, {
      get: () => value,
      configurable: true,
      enumerable: true,
    })
}

/** Makes the local time of dates that of a render. */
const installZone = (): void => {
  const proto = methodsOf(Date.prototype)
  for (const part of PARTS)
    for (const verb of ['get', 'set']) replaceMethod(proto, verb + part, proto[`${verb}UTC${part}`] as Method)
  replaceMethod(proto, 'getDay', proto.getUTCDay as Method)
  replaceMethod(proto, 'getTimezoneOffset', () => 0)
  const utc = proto.toUTCString as Method
  const words = (date: unknown) => /^(\w+), (\d+) (\w+) (-?\d+) (\S+)/.exec(String(utc.call(date)))
  const day = (match: RegExpExecArray) => `${match[1]} ${match[3]} ${match[2]} ${match[4]}`
  const time = (match: RegExpExecArray) => `${match[5]} GMT+0000 (Coordinated Universal Time)`
  const write = (name: string, text: (match: RegExpExecArray) => string) =>
    replaceMethod(proto, name, function () {
      const match = words(this)
      return match ? text(match) : 'Invalid Date'
    })
  write('toString', (match) => `${day(match)} ${time(match)}`)
  write('toDateString', day)
  write('toTimeString', time)
}

/** A date and time without a zone, which a browser reads in the machine's zone; a date alone is already in UTC. */
const WITHOUT_ZONE =
  /^\s*[+-]?\d{4,6}-\d\d(?:-\d\d)?T\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*$|^(?!.*(?:Z|GMT|UTC|[+-]\d\d:?\d\d)\s*(?:\(.*\))?$).*[a-z/]/i

/** Makes dates that are built from numbers, or from a text without a zone, those of a render. */
const installDateTexts = (): void => {
  const { parse, UTC } = Date
  const NativeDate = Date
  const read = (text: string) => parse(WITHOUT_ZONE.test(text) ? `${text}${/T\d/.test(text) ? 'Z' : ' UTC'}` : text)
  const millisecondsOf = (args: readonly unknown[]): readonly unknown[] => {
    if (args.length > 1) return [UTC(...(args as [number, number]))]
    return typeof args[0] === 'string' ? [read(args[0])] : args
  }
  const wrapped: DateConstructor = new Proxy(NativeDate, {
    apply: () => new wrapped().toString(),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, [...millisecondsOf(args)], newTarget === wrapped ? target : newTarget) as Date,
  })
  replaceMethod(NativeDate, 'parse', read)
  NativeDate.prototype.constructor = wrapped
  globalThis.Date = wrapped
}

/** Gives a page the language and the time zone of a render; before the page script puts its dates on the clock. */
export const installRenderLocale = (): void => {
  installLanguage()
  installZone()
  installDateTexts()
}
