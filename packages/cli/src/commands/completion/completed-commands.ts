import { Cli } from 'clipanion'
import type { CommandEntry, CommandType } from '../../command-type.ts'
import type { Flag } from '../../flags/flag.ts'
import { FlagCommand } from '../../flags/flag-command.ts'
import type { ConfigValues } from './config-values.ts'

/** Commands by their first words. */
export type Entries = Readonly<Record<string, CommandEntry>>

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

const firstLine = (text = ''): string => text.trim().split('\n')[0]?.trim() ?? ''

const valuesOf = (flag: Flag | undefined, takesValue: boolean): CompletedFlag['values'] => {
  if (flag?.kind === 'choice') return flag.choices.map(String)
  if (flag?.kind === 'integer' && flag.auto) return ['auto']
  if (flag?.kind === 'text' && /^a (?:path|folder|file)/.test(flag.rule)) return 'path'
  return takesValue ? 'text' : 'none'
}

/** The commands of one first word. */
const describe = (type: CommandType, fromConfig: ConfigValues): CompletedCommand[] => {
  const command = new type()
  const table = command instanceof FlagCommand ? command.flagTable : {}
  return Cli.from([type], { binaryName: 'vid' })
    .definitions()
    .map(({ path, description, options }) => ({
      words: path.split(' ').slice(1),
      about: firstLine(description).replace(/\.$/, ''),
      flags: options.map((option) => {
        const [names = '', value] = option.definition.split(' ')
        const all = names.split(',')
        const key = all.at(-1)?.slice(2) ?? ''
        const flag = table[key]
        const about = flag?.about ?? firstLine(option.description)
        const negated = all.flatMap((name) => {
          const word = name.replace('--', '--no-')
          return about.includes(word) ? [word] : []
        })
        const own = valuesOf(flag, value !== undefined)
        const values = own === 'text' && Object.hasOwn(fromConfig, key) ? (fromConfig[key] ?? own) : own
        return { names: [...all, ...negated], about, values }
      }),
    }))
}

/** Every command, with its flags; `fromConfig` has what may follow those that name something of a config. */
export const completedCommands = async (
  entries: Entries,
  fromConfig: ConfigValues,
): Promise<readonly CompletedCommand[]> => {
  const found: CompletedCommand[] = []
  for (const { load } of Object.values(entries))
    for (const type of await load()) found.push(...describe(type, fromConfig))
  return found
}

/** What may follow the words of a group, such as `cloud`; the empty text stands for the first words. */
export interface CompletedGroup {
  readonly words: string
  readonly next: readonly { readonly word: string; readonly about: string }[]
}

/** The first words, and those of each group. */
export const completedGroups = (all: readonly CompletedCommand[], entries: Entries): readonly CompletedGroup[] => {
  const groups = new Map<string, Map<string, string>>()
  for (const { words, about } of all)
    for (const [at, word] of words.entries()) {
      const before = words.slice(0, at).join(' ')
      const next = groups.get(before) ?? new Map<string, string>()
      groups.set(before, next)
      const isWhole = at === words.length - 1
      const entry = at === 0 && !isWhole ? entries[word] : undefined
      if (isWhole || !next.has(word)) next.set(word, isWhole ? about : (entry?.about ?? ''))
    }
  return [...groups].map(([words, next]) => ({
    words,
    next: [...next].map(([word, text]) => ({ word, about: text })),
  }))
}

/** The prefixes of all commands, such as `cloud` and `cloud render`. */
export const wordPrefixes = (all: readonly CompletedCommand[]): readonly string[] => [
  ...new Set(all.flatMap(({ words }) => words.map((_, at) => words.slice(0, at + 1).join(' ')))),
]
