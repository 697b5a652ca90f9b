import { settingConflicts, type VidError } from '@vid/kernel'
import { fail } from '../errors.ts'
import { type FlagTable, type FlagValues, parseFlag, ruleOf } from './flag.ts'

/** What clipanion found on the command line, by flag name. */
export type RawFlags = Readonly<Record<string, string | boolean | undefined>>

/** Pairs of names: flags that exclude each other, and flags that need another. */
export interface FlagRules {
  readonly conflicts?: readonly (readonly [string, string])[]
  readonly needs?: readonly (readonly [string, string])[]
}

/** Throws one error for one or more wrong flags; `facts.errors` of it holds each. */
export const throwErrors = (errors: readonly VidError[]): void => {
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : fail('VID_FLAGS_INVALID', { errors })
}

/** Flags whose settings contradict each other. */
const settingPairs = (table: FlagTable): (readonly [string, string])[] => {
  const flagOf = (setting: string) => Object.keys(table).find((name) => table[name]?.setting === setting)
  return settingConflicts.flatMap(([one, other]) => {
    const first = flagOf(one)
    const second = flagOf(other)
    return first !== undefined && second !== undefined ? [[first, second] as const] : []
  })
}

/** Parses and checks all given flags; every wrong one is reported, not only the first. */
export const checkFlags = <T extends FlagTable>(
  table: T,
  rawFlags: RawFlags,
  { conflicts = [], needs = [] }: FlagRules = {},
): { readonly values: FlagValues<T>; readonly errors: readonly VidError[] } => {
  const errors: VidError[] = []
  const values: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(table)) {
    const text = rawFlags[name]
    if (text === undefined) continue
    const value = parseFlag(flag, text)
    values[name] = value
    if (value === undefined)
      errors.push(
        fail('VID_FLAG_INVALID', {
          flag: `--${name}`,
          value: text === true ? '' : String(text),
          rule: ruleOf(flag),
          ...(flag.kind === 'choice' && { known: flag.choices.map(String) }),
        }),
      )
  }
  const present = (name: string) => rawFlags[name] !== undefined && rawFlags[name] !== false
  for (const [one, other] of [...settingPairs(table), ...conflicts])
    if (present(one) && present(other)) errors.push(fail('VID_FLAG_CONFLICT', { flags: [`--${one}`, `--${other}`] }))
  for (const [name, wanted] of needs)
    if (present(name) && !present(wanted))
      errors.push(fail('VID_FLAG_ALONE', { flag: `--${name}`, needs: `--${wanted}` }))
  return { values: values as FlagValues<T>, errors }
}
