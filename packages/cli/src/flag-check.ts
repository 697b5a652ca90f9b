import type { VidError, Warning } from '@vid/kernel'
import { fail } from './errors.ts'
import { type Flag, type FlagTable, type FlagValues, parseFlag, ruleOf } from './flag.ts'

/** What clipanion found on the command line, by flag name. */
export type GivenFlags = Readonly<Record<string, string | boolean | undefined>>

/** Pairs of names: flags that exclude each other, and flags that need another. */
export interface FlagRules {
  readonly conflicts?: readonly (readonly [string, string])[]
  readonly needs?: readonly (readonly [string, string])[]
}

/** Throws one error for one or more wrong flags; `facts.errors` of it holds each. */
export const throwErrors = (errors: readonly VidError[]): void => {
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : fail('VID_FLAGS_INVALID', { errors })
}

const missingFeature = (name: string, flag: Flag, value: unknown): VidError[] =>
  flag.missing === undefined || flag.harmless?.includes(value)
    ? []
    : [fail('VID_FEATURE_UNAVAILABLE', { flag: `--${name}`, feature: flag.missing })]

/** Parses and checks all given flags; every wrong one is reported, not only the first. */
export const checkFlags = <T extends FlagTable>(
  table: T,
  given: GivenFlags,
  { conflicts = [], needs = [] }: FlagRules = {},
): { readonly values: FlagValues<T>; readonly errors: readonly VidError[] } => {
  const errors: VidError[] = []
  const values: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(table)) {
    const text = given[name]
    if (text === undefined) continue
    const value = parseFlag(flag, text)
    values[name] = value
    if (value === undefined)
      errors.push(
        fail('VID_FLAG_INVALID', {
          flag: `--${name}`,
          value: text === true ? '' : String(text),
          rule: ruleOf(flag),
        }),
      )
    else if (flag.noEffectOn === undefined) errors.push(...missingFeature(name, flag, value))
  }
  const present = (name: string) => given[name] !== undefined && given[name] !== false
  for (const [one, other] of conflicts)
    if (present(one) && present(other))
      errors.push(fail('VID_FLAG_CONFLICT', { flags: [`--${one}`, `--${other}`] }))
  for (const [name, wanted] of needs)
    if (present(name) && !present(wanted))
      errors.push(fail('VID_FLAG_ALONE', { flag: `--${name}`, needs: `--${wanted}` }))
  return { values: values as FlagValues<T>, errors }
}

/** Flags whose effect hangs on the formats: a warning when there is none, an error when it is missing. */
export const checkEffects = (
  table: FlagTable,
  values: Readonly<Record<string, unknown>>,
  formats: readonly string[],
): { readonly warnings: readonly Warning[]; readonly errors: readonly VidError[] } => {
  const given = Object.entries(table).filter(([name, flag]) => flag.noEffectOn && values[name] !== undefined)
  const isIdle = ([, flag]: (typeof given)[number]) =>
    formats.every((format) => flag.noEffectOn?.includes(format))
  return {
    warnings: given.filter(isIdle).map(([name]) => ({
      code: 'VID_FLAG_WITHOUT_EFFECT',
      message: `--${name} changes nothing in ${formats.join(' and ')}`,
      hint: `leave --${name} out`,
    })),
    errors: given
      .filter((entry) => !isIdle(entry))
      .flatMap(([name, flag]) => missingFeature(name, flag, values[name])),
  }
}
