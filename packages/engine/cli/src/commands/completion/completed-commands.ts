import type { AnyCommand, Option, OptionTable } from '@vid/command'
import type { ConfigValues } from './config-values.ts'

/** What first words are about. */
export type Entries = Readonly<Record<string, string>>

/** A flag as a shell completes it. */
export interface CompletedFlag {
  /** With their dashes, the short one first. */
  readonly names: readonly string[]
  readonly about: string
  /** What may follow it: one of some words, a path or any text; none after a switch. */
  readonly values: readonly string[] | 'path' | 'text' | 'none'
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** After `vid`. */
  readonly words: readonly string[]
  readonly about: string
  readonly flags: readonly CompletedFlag[]
}

const valuesOf = (option: Option): CompletedFlag['values'] => {
  if (option.kind === 'switch') return 'none'
  if (option.kind === 'choice') return option.choices.map(String)
  if (option.kind === 'integer') return option.auto ? ['auto'] : 'text'
  return /^a (?:path|folder|file)/.test(option.rule) ? 'path' : 'text'
}

/** A command with its flags; `fromConfig` has what may follow those that name something of a config. */
export const completedCommand = (
  { path, summary, options }: AnyCommand,
  fromConfig: ConfigValues,
): CompletedCommand => ({
  words: path.split(' '),
  about: summary.replace(/\.$/, ''),
  flags: Object.entries(options as OptionTable).map(([name, option]) => {
    const { about, short } = option
    const negated = about.includes(`--no-${name}`) ? [`--no-${name}`] : []
    const kind = valuesOf(option)
    const values = kind === 'text' && Object.hasOwn(fromConfig, name) ? (fromConfig[name] ?? kind) : kind
    return { names: [...(short === undefined ? [] : [`-${short}`]), `--${name}`, ...negated], about, values }
  }),
})

/** What may follow the words of a group, such as `cloud`; the empty text stands for the first words. */
export interface CompletedGroup {
  readonly words: string
  readonly next: readonly { readonly word: string; readonly about: string }[]
}

/** The first words, and those of each group. */
export const completedGroups = (all: readonly CompletedCommand[], entries: Entries): readonly CompletedGroup[] => {
  const groups = new Map<string, Map<string, string>>()
  for (const { words, about } of all)
    for (const [index, word] of words.entries()) {
      const before = words.slice(0, index).join(' ')
      const next = groups.get(before) ?? new Map<string, string>()
      groups.set(before, next)
      const isWhole = index === words.length - 1
      const wordAbout = index === 0 && !isWhole ? entries[word] : undefined
      if (isWhole || !next.has(word)) next.set(word, isWhole ? about : (wordAbout ?? ''))
    }
  return [...groups].map(([words, next]) => ({
    words,
    next: [...next].map(([word, text]) => ({ word, about: text })),
  }))
}

/** The prefixes of all commands, such as `cloud` and `cloud render`. */
export const wordPrefixes = (all: readonly CompletedCommand[]): readonly string[] => [
  ...new Set(all.flatMap(({ words }) => words.map((_, index) => words.slice(0, index + 1).join(' ')))),
]
