import { withoutCredentials } from './credentials.ts'

/**
 * Whose fault an error is. `caller`: the input is wrong (a flag, the config, a request). `render`: the composition
 * or a plugin failed while rendering. `machine`: this machine lacks something (space, memory, a browser), so the same
 * work may succeed on another.
 */
export type Fault = 'caller' | 'render' | 'machine'

/** What a user reads when something fails: what happened with the value, and what to do. */
export interface ErrorText {
  readonly message: string
  readonly hint: string
  readonly fault: Fault
  /** True when trying the same work again cannot succeed; every caller fault is final. */
  readonly final?: true
}

/** Code → text built from facts; each package owns one such table. */
export type ErrorTable = Readonly<Record<string, (facts: never) => ErrorText>>

/** Where an error came from and what caused it. */
export interface ErrorOrigin {
  readonly plugin?: string
  readonly hook?: string
  readonly cause?: unknown
}

/** An error as JSON carries it. */
export interface ErrorData {
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly fault: Fault
  readonly plugin?: string
  readonly hook?: string
}

/** A text that ends in one full stop, also where its last part brought a stop or a line end. */
export const withOneStop = (text: string): string =>
  text.replace(/(?<!\s)\s+\.$/, '.').replace(/([.!?…]["”)]?)\.$/, '$1')

const BRAND = Symbol.for('vid.error')

/** The one error type of the toolkit: a code, a message with the value, a hint, and the plugin to blame. */
export class VidError extends Error {
  readonly [BRAND] = true
  override readonly name: string = 'VidError'
  readonly code: string
  readonly hint: string
  readonly fault: Fault
  /** True when trying the same work again on this machine cannot succeed. */
  readonly final: boolean
  /** The facts that the message was built from. */
  readonly facts: Readonly<Record<string, unknown>>
  plugin?: string
  hook?: string

  constructor(code: string, text: ErrorText, facts: object = {}, origin: ErrorOrigin = {}) {
    super(
      withOneStop(withoutCredentials(text.message)),
      origin.cause === undefined ? undefined : { cause: origin.cause },
    )
    this.code = code
    this.hint = withOneStop(withoutCredentials(text.hint))
    this.fault = text.fault
    this.final = text.final ?? text.fault === 'caller'
    this.facts = { ...facts }
    if (origin.plugin !== undefined) this.plugin = origin.plugin
    if (origin.hook !== undefined) this.hook = origin.hook
  }

  /** What leaves the process: events, manifests and HTTP answers carry it. */
  toJSON(): ErrorData {
    const { code, message, hint, fault, plugin, hook } = this
    return { code, message, hint, fault, ...(plugin && { plugin }), ...(hook && { hook }) }
  }
}

/** Recognises a VidError by its brand, also one made by another copy of this package. */
export const isVidError = (value: unknown): value is VidError =>
  typeof value === 'object' && value !== null && BRAND in value

/** Makes the error factory of a table: `fail('VID_X', { facts })` returns the error to throw. */
export const defineErrors =
  <T extends ErrorTable>(table: T) =>
  <C extends keyof T & string>(code: C, facts: Parameters<T[C]>[0], origin?: ErrorOrigin): VidError => {
    const text = (table[code] as (facts: unknown) => ErrorText)(facts)
    return new VidError(code, text, facts as object, origin)
  }

/** One line of text for anything that was thrown, also for what cannot be read. */
export const describeCause = (cause: unknown): string => {
  try {
    if (cause instanceof Error) return String(cause.message)
    return typeof cause === 'string' ? cause : (JSON.stringify(cause) ?? String(cause))
  } catch {
    return 'it threw something that cannot be read'
  }
}

/** Exit code of a command that ended with this error: 2 when its input was wrong, else 1. */
export const exitCodeOf = ({ fault }: Pick<ErrorData, 'fault'>): 1 | 2 => (fault === 'caller' ? 2 : 1)

/** HTTP status of an answer that reports this error. */
export const httpStatusOf = ({ code, fault }: Pick<ErrorData, 'code' | 'fault'>): 400 | 499 | 500 | 503 => {
  if (code === 'VID_CANCELLED') return 499
  if (fault === 'caller') return 400
  return fault === 'machine' ? 503 : 500
}
