import { type CheckLevel, checkPlugins, type PluginOf } from '@vid/kernel'
import { nearest } from '@vid/protocol'
import { fail } from '../errors.ts'
import { ruleMakers } from './rules.ts'

/** What a config and a command line make of the rules. */
export interface RuleChoice {
  /** Rules of the config. */
  readonly checks: readonly PluginOf<'check'>[]
  /** Levels and options by rule. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Only these rules, where any are named; never those that are skipped. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
}

/** A rule that runs, and the level of its findings. */
export interface ChosenRule {
  readonly plugin: PluginOf<'check'>
  readonly level: CheckLevel
}

/** A setting as a level and options. */
const splitSetting = (setting: unknown): { level: CheckLevel | 'off' | undefined; options: object } => {
  if (typeof setting === 'string') return { level: setting as CheckLevel | 'off', options: {} }
  const { level, ...options } = (setting ?? {}) as { level?: CheckLevel | 'off' }
  return { level, options }
}

/** The rules that run, in their order: those of vid with the options of the config, then those of the config. */
export const chooseRules = ({ checks, settings, only, skip }: RuleChoice): readonly ChosenRule[] => {
  const builtIn = [...ruleMakers].map(([rule, make]) => make(splitSetting(settings[rule]).options))
  const plugins = [...builtIn, ...checks]
  checkPlugins(plugins)
  for (const [index, { rule, name }] of plugins.entries()) {
    const other = plugins.slice(0, index).find((plugin) => plugin.rule === rule)
    if (other) throw fail('VID_CHECK_RULE_TWICE', { rule, plugin: name, other: other.name })
  }
  const names = plugins.map(({ rule }) => rule)
  for (const rule of [...only, ...skip, ...Object.keys(settings)])
    if (!names.includes(rule)) throw fail('VID_CHECK_RULE', { rule, near: nearest(rule, names), known: names })
  return plugins.flatMap((plugin) => {
    const { rule } = plugin
    const level = splitSetting(settings[rule]).level ?? plugin.level
    const isChosen = (only.length === 0 || only.includes(rule)) && !skip.includes(rule)
    return isChosen && (level !== 'off' || only.includes(rule))
      ? [{ plugin, level: level === 'off' ? plugin.level : level }]
      : []
  })
}
