import { settingConflicts, type VidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import { type OptionTable, type OptionValues, parseOption, ruleOf } from './option.ts'

/** The options of a command as they are written, by name. */
export type WrittenOptions = Readonly<Record<string, string | boolean | undefined>>

/** Pairs of names: options that exclude each other, and options that need another. */
export interface OptionRules {
  readonly conflicts?: readonly (readonly [string, string])[]
  readonly needs?: readonly (readonly [string, string])[]
}

/** Throws one error for one or more wrong options; `facts.errors` of it holds each. */
export const throwErrors = (errors: readonly VidError[]): void => {
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : fail('VID_FLAGS_INVALID', { errors })
}

/** Options whose settings contradict each other. */
const settingPairs = (table: OptionTable): (readonly [string, string])[] => {
  const optionOf = (setting: string) => Object.keys(table).find((name) => table[name]?.setting === setting)
  return settingConflicts.flatMap(([one, other]) => {
    const first = optionOf(one)
    const second = optionOf(other)
    return first !== undefined && second !== undefined ? [[first, second] as const] : []
  })
}

/** Parses and checks all given options; every wrong one is reported, not only the first. */
export const parseOptions = <T extends OptionTable>(
  table: T,
  input: WrittenOptions,
  { conflicts = [], needs = [] }: OptionRules = {},
): { readonly values: OptionValues<T>; readonly errors: readonly VidError[] } => {
  const errors: VidError[] = []
  const values: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(table)) {
    const text = input[name]
    if (text === undefined) continue
    const value = parseOption(option, text)
    values[name] = value
    if (value === undefined)
      errors.push(
        fail('VID_FLAG_INVALID', {
          flag: `--${name}`,
          value: text === true ? '' : String(text),
          rule: ruleOf(option),
          ...(option.kind === 'choice' && { known: option.choices.map(String) }),
        }),
      )
  }
  const present = (name: string) => input[name] !== undefined && input[name] !== false
  for (const [one, other] of [...settingPairs(table), ...conflicts])
    if (present(one) && present(other)) errors.push(fail('VID_FLAG_CONFLICT', { flags: [`--${one}`, `--${other}`] }))
  for (const [name, other] of needs)
    if (present(name) && !present(other))
      errors.push(fail('VID_FLAG_ALONE', { flag: `--${name}`, needs: `--${other}` }))
  return { values: values as OptionValues<T>, errors }
}
