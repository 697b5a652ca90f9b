import {
  type DifferentSetting,
  type RequestSetting,
  requestSettings,
  type Separated,
  type SettingName,
  type SettingRows,
  type Surface,
  type SurfaceSetting,
  type TSchema,
} from '@vid/protocol'
import type { Option } from './option.ts'
import { flagName } from './spelling.ts'

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

type Kind = Pick<RequestSetting, 'read'> & { readonly schema: Schema; readonly rule: string }

const kindOf = ({ schema, rule, read }: Kind): Partial<Option> => {
  const { type, anyOf = [], minimum: min = 0, maximum: max = 0, pattern } = schema
  if (type === 'boolean') return { kind: 'switch' }
  if (type === 'integer') return { kind: 'integer', min, max }
  const integer = anyOf.find((choice) => choice.type === 'integer')
  if (integer) return { ...kindOf({ schema: integer, rule }), auto: true } as Partial<Option>
  const choices = anyOf.flatMap((choice) => choice.const ?? [])
  if (choices.length > 0 && choices.length === anyOf.length) return { kind: 'choice', choices }
  if (read) return { kind: 'text', rule, read }
  return { kind: 'text', rule, ...(pattern !== undefined && { pattern: new RegExp(pattern) }) }
}

/** Options replace parts of what the table of settings says, by names of settings. */
type Differences<K extends SettingName> = { readonly [N in K]?: Partial<Option> }

type Table = typeof requestSettings
/** The name of the flag of a setting, without dashes. */
type FlagName<K extends SettingName> = Table[K] extends { readonly flag: infer F }
  ? F extends string
    ? F
    : never
  : Separated<K, '-'>

/** The options of settings, by their flags; settings without a flag have none. */
export type SettingOptions<K extends SettingName> = {
  readonly [N in K as FlagName<N>]: Option & { readonly setting: N }
}

/** How a surface has its settings, as far as options say it. */
type RowOf = (name: SettingName) => DifferentSetting

const optionOf = (name: SettingName, different: DifferentSetting, more: Partial<Option>): Option => {
  const setting: RequestSetting = requestSettings[name]
  const { schema = setting.local ?? setting.schema, about = setting.about, rule = setting.rule ?? '' } = different
  const { short, read } = setting
  const { default: value } = (different.schema ?? setting.schema) as TSchema & Schema
  return {
    ...kindOf({ schema: schema as Schema, rule, ...(read && { read }) }),
    about,
    ...(short !== undefined && { short }),
    ...((typeof value === 'string' || typeof value === 'number') && { default: String(value) }),
    ...more,
    setting: name,
  } as Option
}

/** The option of a setting, made from its schema; `more` overrides parts of it. */
export const settingOption = <const K extends SettingName>(
  name: K,
  more: Partial<Option> = {},
): Option & { readonly setting: K } => optionOf(name, {}, more) as Option & { readonly setting: K }

const optionsOf = <const K extends SettingName>(
  names: readonly K[],
  differences: Differences<K>,
  rowOf: RowOf,
): SettingOptions<K> =>
  Object.fromEntries(
    names
      .filter((name) => (requestSettings[name] as RequestSetting).flag !== null)
      .map((name) => [flagName(name), optionOf(name, rowOf(name), differences[name] ?? {})]),
  ) as SettingOptions<K>

/** The options of all settings of a request that have a flag. */
export const requestOptions = (differences: Differences<SettingName>): SettingOptions<SettingName> =>
  optionsOf(Object.keys(requestSettings) as SettingName[], differences, () => ({}))

/** The options of the settings that a surface has. */
export const surfaceOptions = <R extends SettingRows>(
  { settings, row }: Pick<Surface<R>, 'settings' | 'row'>,
  differences: Differences<SurfaceSetting<R>> = {},
): SettingOptions<SurfaceSetting<R>> => optionsOf(settings, differences, row)
