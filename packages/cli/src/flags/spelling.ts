import { type RequestSetting, requestSettings } from '@vid/kernel'
import type { Spelling } from '@vid/render'
import type { FlagTable, FlagValues } from './flag.ts'

const kebab = (name: string) => name.replace(/[A-Z]/g, (character) => `-${character.toLowerCase()}`)

/** How a setting is written on the command line, such as `--video-bitrate`. */
const flagOf = (name: string): string => {
  if (name === 'cache') return '--no-cache'
  const { flag } = (requestSettings as Readonly<Record<string, RequestSetting>>)[name] ?? {}
  return `--${flag ?? kebab(name)}`
}

/** Settings by the words of the command line; `flags` distinguishes a file of variables from their text. */
export const spellingOf = (flags: Readonly<Record<string, unknown>>): Spelling => ({
  name: flagOf,
  source: (name) => {
    if (name === 'projectDir') return 'argument'
    if (name === 'variables' && flags.variables === undefined) return 'flag --variables-file'
    return `flag ${flagOf(name)}`
  },
})

type SettingOf<T extends FlagTable, K extends keyof T> = T[K] extends {
  readonly setting: infer S extends string
}
  ? S
  : never

/** The settings among the values of flags, by their own names. */
export type FlagSettings<T extends FlagTable> = {
  readonly [K in keyof T as SettingOf<T, K>]?: Exclude<FlagValues<T>[K], undefined>
}

/** The settings that flags set, by the names of settings; variables are not among them, which are JSON text here. */
export const settingsOf = <T extends FlagTable>(table: T, values: FlagValues<T>): Omit<FlagSettings<T>, 'variables'> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { setting }]) => {
      const value = values[name]
      return setting === undefined || setting === 'variables' || value === undefined ? [] : [[setting, value]]
    }),
  ) as Omit<FlagSettings<T>, 'variables'>
