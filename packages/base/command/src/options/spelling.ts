import { type RequestSetting, requestSettings, type Spelling, separated } from '@vid/protocol'
import type { OptionTable, OptionValues } from './option.ts'

/** The name of the flag of a setting, without dashes, such as `video-bitrate`. */
export const flagName = (setting: string): string =>
  (requestSettings as Readonly<Record<string, RequestSetting>>)[setting]?.flag ?? separated(setting, '-')

/** How a setting is written on the command line, such as `--video-bitrate`. */
const flagOf = (name: string): string => (name === 'cache' ? '--no-cache' : `--${flagName(name)}`)

/** Settings by the words of the command line; `written` distinguishes a file of variables from their text. */
export const spellingOf = (flags: Readonly<Record<string, unknown>>): Spelling => ({
  name: flagOf,
  source: (name) => {
    if (name === 'projectDir') return 'argument'
    if (name === 'variables' && flags.variables === undefined) return 'flag --variables-file'
    return `flag ${flagOf(name)}`
  },
})

type SettingOf<T extends OptionTable, K extends keyof T> = T[K] extends {
  readonly setting: infer S extends string
}
  ? S
  : never

/** The settings among the values of options, by their own names. */
export type OptionSettings<T extends OptionTable> = {
  readonly [K in keyof T as SettingOf<T, K>]?: Exclude<OptionValues<T>[K], undefined>
}

/** The settings that options set, by the names of settings; variables are not among them, which are JSON text here. */
export const settingsOf = <T extends OptionTable>(
  table: T,
  values: OptionValues<T>,
): Omit<OptionSettings<T>, 'variables'> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { setting }]) => {
      const value = values[name]
      return setting === undefined || setting === 'variables' || value === undefined ? [] : [[setting, value]]
    }),
  ) as Omit<OptionSettings<T>, 'variables'>
