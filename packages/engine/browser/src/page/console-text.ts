import type { ConsoleMessage, Warning } from '@vid/protocol'
import type { ConsoleArgument } from '../driver/protocol.ts'

/** Receivers of a page's warnings and console messages. */
export interface PageReports {
  warn(warning: Warning): void
  /** Whether an error that ends the capture says why a file did not load, by its path in the project. */
  readonly isExplained?: ((path: string) => boolean) | undefined
  /** Receives notes that need no action; optional. */
  readonly note?: ((reason: string) => void) | undefined
  /** Receives the page's console messages. */
  readonly log?: ((message: ConsoleMessage) => void) | undefined
}

/** Characters of one message that are passed on. */
const MAX_CHARACTERS = 2000

/** Different messages of one page that are passed on; a page that logs on every frame must not flood the report. */
export const CONSOLE_LIMIT = 20

/** Levels by the names that browsers have for them; others are not passed on. */
const LEVELS: Readonly<Record<string, ConsoleMessage['level']>> = {
  log: 'log',
  info: 'info',
  warning: 'warn',
  warn: 'warn',
  error: 'error',
  assert: 'error',
}

/** The level of a console call by the name that its browser has for it; undefined for calls that are not shown. */
export const consoleLevel = (type: string): ConsoleMessage['level'] | undefined =>
  Object.hasOwn(LEVELS, type) ? LEVELS[type] : undefined

const argumentText = ({ type, value, description, preview }: ConsoleArgument): string => {
  if (preview && preview.subtype !== 'error') {
    const isList = preview.subtype === 'array'
    const parts = preview.properties.map(({ name, value: text = '' }) => (isList ? text : `${name}: ${text}`))
    const all = [...parts, ...(preview.overflow ? ['…'] : [])].join(', ')
    return isList ? `[${all}]` : `{ ${all} }`
  }
  return type === 'undefined' ? 'undefined' : String(value ?? description ?? value)
}

/** The arguments of a console call as one text, with the placeholders of its first argument filled in. */
export const consoleText = (args: readonly ConsoleArgument[]): string => {
  const [first, ...rest] = args
  if (typeof first?.value !== 'string') return args.map(argumentText).join(' ')
  const format = first.value.replaceAll(/%([sdifoOc%])/g, (placeholder, kind: string) => {
    if (kind === '%') return '%'
    const next = rest.shift()
    if (next === undefined) return placeholder
    return kind === 'c' ? '' : argumentText(next)
  })
  return [format, ...rest.map(argumentText)].join(' ')
}

/** Counts what one page writes, and passes each message on with its count so far. */
export const countMessages = (log: (message: ConsoleMessage) => void) => {
  const counts = new Map<string, number>()
  /** Returns whether the message is passed on and new. */
  return (level: ConsoleMessage['level'], whole: string): boolean => {
    const text = whole.length > MAX_CHARACTERS ? `${whole.slice(0, MAX_CHARACTERS)}…` : whole
    const key = `${level} ${text}`
    const count = (counts.get(key) ?? 0) + 1
    if (count === 1 && counts.size >= CONSOLE_LIMIT) return false
    counts.set(key, count)
    log({ level, text, count })
    return count === 1
  }
}
