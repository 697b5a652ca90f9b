import { type RequestSetting, requestSettings, type SettingName, type TSchema } from '@vid/protocol'
import type { Option } from './option.ts'

/** The parts of a JSON Schema that an option uses too. */
interface Schema {
  readonly type?: string
  readonly const?: string | number
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly default?: unknown
}

const kindOf = (schema: Schema, rule: string): Partial<Option> => {
  const { type, anyOf, minimum: min = 0, maximum: max = 0, pattern } = schema
  if (type === 'boolean') return { kind: 'switch' }
  if (type === 'integer') return { kind: 'integer', min, max }
  const integer = anyOf?.find((choice) => choice.type === 'integer')
  if (integer) return { ...kindOf(integer, rule), auto: true } as Partial<Option>
  const choices = anyOf?.map((choice) => choice.const).filter((value) => value !== undefined)
  if (choices) return { kind: 'choice', choices }
  return { kind: 'text', rule, ...(pattern !== undefined && { pattern: new RegExp(pattern) }) }
}

/** The option of a setting, made from its schema; `more` overrides parts of it. */
export const settingOption = <const K extends SettingName>(
  name: K,
  more: Partial<Option> = {},
): Option & { readonly setting: K } => {
  const { schema, local = schema, about, rule = '', short, read }: RequestSetting = requestSettings[name]
  const { default: value } = schema as TSchema & Schema
  return {
    ...(read ? { kind: 'text', rule, read } : kindOf(local as Schema, rule)),
    about,
    ...(short !== undefined && { short }),
    ...((typeof value === 'string' || typeof value === 'number') && { default: String(value) }),
    ...more,
    setting: name,
  } as Option & { readonly setting: K }
}
