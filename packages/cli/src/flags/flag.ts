import type { RequestSetting, requestSettings, SettingName, Static, TSchema } from '@vid/kernel'

interface FlagText {
  /** What it does; the rule and the default are added for --help. */
  readonly about: string
  readonly short?: string
  readonly default?: string
  /** The setting of a render request that it is. */
  readonly setting?: SettingName
}

/** One flag of a command, as data: parsing, checks and --help are made from it. */
export type Flag = FlagText &
  (
    | { readonly kind: 'switch' }
    | { readonly kind: 'choice'; readonly choices: readonly (string | number)[] }
    | { readonly kind: 'integer'; readonly min: number; readonly max: number; readonly auto?: boolean }
    | {
        readonly kind: 'text'
        readonly rule: string
        readonly pattern?: RegExp
        /** The value that the text means; undefined when it breaks the rule. */
        readonly read?: NonNullable<RequestSetting['read']>
      }
  )

/** Flags by name, without their dashes. */
export type FlagTable = Readonly<Record<string, Flag>>

type SettingSchema<K extends SettingName> = (typeof requestSettings)[K] extends {
  readonly local: infer L extends TSchema
}
  ? L
  : (typeof requestSettings)[K]['schema']

type FlagValue<F> = F extends { readonly setting: infer K extends SettingName }
  ? // The text of a JSON object is parsed later.
    K extends 'variables'
    ? string
    : Static<SettingSchema<K>>
  : F extends { readonly kind: 'switch' }
    ? boolean
    : F extends { readonly kind: 'choice'; readonly choices: readonly (infer C)[] }
      ? C
      : F extends { readonly kind: 'integer' }
        ? F extends { readonly auto: true }
          ? number | 'auto'
          : number
        : string

/** The values that were given, by flag name. */
export type FlagValues<T extends FlagTable> = { readonly [K in keyof T]?: FlagValue<T[K]> | undefined }

const either = (values: readonly unknown[]) =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

/** The values of a flag, in words; empty for a switch. */
export const ruleOf = (flag: Flag): string => {
  if (flag.kind === 'switch') return ''
  if (flag.kind === 'choice') return either(flag.choices)
  if (flag.kind === 'text') return flag.rule
  return `a whole number from ${flag.min} to ${flag.max}${flag.auto ? ', or auto' : ''}`
}

/** The value that a flag's text means; undefined when it breaks the flag's rule. A switch has no text. */
export const parseFlag = (flag: Flag, text: string | boolean): string | number | boolean | undefined => {
  if (flag.kind === 'switch' || typeof text === 'boolean')
    return flag.kind === 'switch' && typeof text === 'boolean' ? text : undefined
  if (flag.kind === 'choice') return flag.choices.find((choice) => String(choice) === text)
  if (flag.kind === 'integer') {
    if (flag.auto && text === 'auto') return text
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= flag.min && value <= flag.max ? value : undefined
  }
  if (flag.read) return flag.read(text)
  const fits = (flag.pattern ?? /\S/).test(text) && !text.includes('\0')
  return fits ? text : undefined
}

/** What the encoders of a config declare about formats, for --help. */
export interface FormatFacts {
  /** Every format that can be made. */
  readonly formats: readonly string[]
  /** Formats in which a setting changes something. */
  formatsOf(name: string, setting: RequestSetting): readonly string[]
}
