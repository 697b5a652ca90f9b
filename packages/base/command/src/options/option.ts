import type { RequestSetting, requestSettings, SettingName, Static, TSchema } from '@vid/protocol'

interface OptionText {
  /** What it does; the rule and the default are added for --help. */
  readonly about: string
  readonly short?: string
  readonly default?: string
  /** The setting of a render request that it is. */
  readonly setting?: SettingName
  /** What is done with the file or folder that its text names. */
  readonly path?: PathUse
}

/** What is done with a file or folder that a command line names. */
export type PathUse = 'read' | 'write'

/** One option of a command, as data: parsing, checks and --help are made from it. */
export type Option = OptionText &
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
        /** JSON Schema of the value that its text is the JSON of. */
        readonly value?: () => Promise<object>
        /** Names of fields of that value which hold paths of files to read. */
        readonly pathFields?: readonly string[]
      }
  )

/** Options by name, without their dashes. */
export type OptionTable = Readonly<Record<string, Option>>

type SettingSchema<K extends SettingName> = (typeof requestSettings)[K] extends {
  readonly local: infer L extends TSchema
}
  ? L
  : (typeof requestSettings)[K]['schema']

type OptionValue<F> = F extends { readonly setting: infer K extends SettingName }
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

/** The values that were given, by name. */
export type OptionValues<T extends OptionTable> = { readonly [K in keyof T]?: OptionValue<T[K]> | undefined }

const either = (values: readonly unknown[]) =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

/** The values of an option, in words; empty for a switch. */
export const ruleOf = (option: Option): string => {
  if (option.kind === 'switch') return ''
  if (option.kind === 'choice') return either(option.choices)
  if (option.kind === 'text') return option.rule
  return `a whole number from ${option.min} to ${option.max}${option.auto ? ', or auto' : ''}`
}

/** The value that an option's text means; undefined when it breaks the option's rule. A switch has no text. */
export const parseOption = (option: Option, text: string | boolean): string | number | boolean | undefined => {
  if (option.kind === 'switch' || typeof text === 'boolean')
    return option.kind === 'switch' && typeof text === 'boolean' ? text : undefined
  if (option.kind === 'choice') return option.choices.find((choice) => String(choice) === text)
  if (option.kind === 'integer') {
    if (option.auto && text === 'auto') return text
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= option.min && value <= option.max ? value : undefined
  }
  if (option.read) return option.read(text)
  const fits = (option.pattern ?? /\S/).test(text) && !text.includes('\0')
  return fits ? text : undefined
}

/** What the encoders of a config declare about formats, for --help. */
export interface FormatFacts {
  /** Every format that can be made. */
  readonly formats: readonly string[]
  /** Formats in which a setting changes something. */
  formatsOf(name: string, setting: RequestSetting): readonly string[]
}
