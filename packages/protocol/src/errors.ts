/** What a user reads when something fails: what happened with the value, and what to do. */
export interface ErrorText {
  readonly message: string
  readonly hint: string
  /** 2 when a flag or a config value is wrong, 1 (the default) when the work failed. */
  readonly exitCode?: 1 | 2
  /** True when trying the same work again cannot succeed. */
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

const BRAND = Symbol.for('vid.error')

/** The one error type of the toolkit: a code, a message with the value, a hint, and the plugin to blame. */
export class VidError extends Error {
  readonly [BRAND] = true
  override readonly name = 'VidError'
  readonly code: string
  readonly hint: string
  readonly exitCode: 1 | 2
  /** True when trying the same work again cannot succeed. */
  readonly final: boolean
  /** The facts that the message was built from. */
  readonly facts: Readonly<Record<string, unknown>>
  plugin?: string
  hook?: string

  constructor(code: string, text: ErrorText, facts: object = {}, origin: ErrorOrigin = {}) {
    super(text.message, origin.cause === undefined ? undefined : { cause: origin.cause })
    this.code = code
    this.hint = text.hint
    this.exitCode = text.exitCode ?? 1
    this.final = text.final ?? text.exitCode === 2
    this.facts = { ...facts }
    if (origin.plugin !== undefined) this.plugin = origin.plugin
    if (origin.hook !== undefined) this.hook = origin.hook
  }

  toJSON() {
    const { code, message, hint, plugin, hook } = this
    return { code, message, hint, ...(plugin && { plugin }), ...(hook && { hook }) }
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

/** One line of text for anything that was thrown. */
export const describeCause = (cause: unknown): string =>
  cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : JSON.stringify(cause)
