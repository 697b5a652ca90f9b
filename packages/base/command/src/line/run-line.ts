import { nearest, type VidError } from '@vid/protocol'
import { type BaseContext, Cli } from 'clipanion'
import type { CommandContext } from '../context.ts'
import type { AnyCommand, Argument } from '../define/command.ts'
import { fail } from '../errors.ts'
import type { FormatFacts } from '../options/option.ts'
import { commandClass } from './command-class.ts'
import { helpText } from './help-text.ts'
import { parserTexts } from './parser-texts.ts'

interface KnownFlag {
  readonly names: readonly string[]
  readonly takesValue: boolean
}

/** Ties a negative number to its flag, so that the flag's own rule can refuse it. */
const tieNumbers = (words: readonly string[], flags: readonly KnownFlag[]): string[] => {
  const takes = new Set(flags.flatMap(({ names, takesValue }) => (takesValue ? names : [])))
  return words.reduce<string[]>((tied, word) => {
    const before = tied.at(-1)
    if (before !== undefined && takes.has(before) && /^-\d/.test(word)) tied[tied.length - 1] = `${before}=${word}`
    else tied.push(word)
    return tied
  }, [])
}

/**
 * Puts arguments such as -0.5s, which a parser takes for flags, behind `--` with all other arguments; `depth` is the number
 * of the command's own words.
 */
const separateNumbers = (words: readonly string[], flags: readonly KnownFlag[], depth: number): readonly string[] => {
  const takes = new Set(flags.flatMap(({ names, takesValue }) => (takesValue ? names : [])))
  const end = words.indexOf('--')
  const before = words.slice(depth, end < 0 ? words.length : end)
  const isValue = before.map((_, index) => takes.has(before[index - 1] ?? ''))
  const isArgument = before.map((word, index) => !isValue[index] && (!word.startsWith('-') || /^-\d/.test(word)))
  if (!before.some((word, index) => isArgument[index] && word.startsWith('-'))) return words
  return [
    ...words.slice(0, depth),
    ...before.filter((_, index) => !isArgument[index]),
    '--',
    ...before.filter((_, index) => isArgument[index]),
    ...(end < 0 ? [] : words.slice(end + 1)),
  ]
}

/** Whether a command has a flag, or the one that it negates. */
const hasFlag = (names: readonly string[], flag: string): boolean =>
  names.includes(flag) || names.includes(flag.replace(/^--no-/, '--'))

/** What a command line lacks, by the names of the arguments that its command needs. */
const lackOf = (command: string, commands: readonly AnyCommand[]): string => {
  const all: readonly Argument[] = commands.find(({ path }) => path === command)?.arguments ?? []
  const needed = all.filter(({ isOptional, isRest, default: value }) => !isOptional && !isRest && value === undefined)
  return `it needs ${needed.map(({ name }) => `<${name}>`).join(' and ')}`
}

/** The coded error for words that fit no command. */
const usageError = (
  thrown: unknown,
  command: string,
  words: readonly string[],
  { commands, flags }: { readonly commands: readonly AnyCommand[]; readonly flags: readonly KnownFlag[] },
) => {
  const { candidates, message } = thrown as Error & { candidates?: readonly { reason: string | null }[] }
  const [first = '', ...others] = message.split('\n').filter((line) => line.trim() !== '')
  const reason =
    candidates?.find((candidate) => candidate.reason)?.reason ??
    (first.endsWith(':') ? `${first}${others[0]?.replace(/^\W*/, ' ') ?? ''}` : first)
  const names = flags.flatMap((flag) => flag.names)
  const { unsupportedFlag, invalidFlag, surplusArgument, missingArgument, missingValue } = parserTexts
  const rejectedFlag = (unsupportedFlag.exec(reason) ?? invalidFlag.exec(reason))?.[1]
  // The parser rejects a negated flag of the command when another flag of the line is unknown.
  const unknownFlag = words.flatMap((word) => /^--[^=]+/.exec(word)?.[0] ?? []).find((word) => !hasFlag(names, word))
  const flag = rejectedFlag && (unknownFlag ?? rejectedFlag)
  const [, surplus] = surplusArgument.exec(reason) ?? []
  if (surplus !== undefined)
    return fail(
      'VID_USAGE',
      {
        command,
        reason: `"${surplus}" is one word too many; a path with spaces needs quotes`,
      },
      { cause: thrown },
    )
  if (missingArgument.test(reason))
    return fail('VID_USAGE', { command, reason: lackOf(command, commands) }, { cause: thrown })
  const [, lacking] = missingValue.exec(reason) ?? []
  if (lacking !== undefined)
    return fail('VID_USAGE', { command, reason: `${lacking} needs a value` }, { cause: thrown })
  if (flag === undefined) return fail('VID_USAGE', { command, reason }, { cause: thrown })
  if (hasFlag(names, flag)) return fail('VID_USAGE', { command, reason: `${flag} takes no value` }, { cause: thrown })
  return fail('VID_FLAG_UNKNOWN', { flag, command, near: nearest(flag, names) }, { cause: thrown })
}

type LineContext = BaseContext & CommandContext

const options = { binaryName: 'vid', enableColors: false }

/** A command as clipanion describes it. */
type Definition = ReturnType<Cli<LineContext>['definitions']>[number]

/** The words of a command after `vid`. */
const wordsOf = ({ path }: Definition): string[] => path.split(' ').slice(1)

/** The command that the words begin with; undefined where they name none. */
const chosen = (argv: readonly string[], definitions: readonly Definition[]): Definition | undefined =>
  definitions.find((definition) => wordsOf(definition).every((word, index) => argv[index] === word))

/** The commands of a first word that has several, one line for each. */
const groupText = (group: string, definitions: readonly Definition[]): string => {
  const names = definitions.map((definition) => `vid ${wordsOf(definition).join(' ')}`)
  const width = Math.max(...names.map(({ length }) => length))
  const lines = definitions.map(({ description = '' }, index) => {
    const about = description.trim().replace(/\.$/, '')
    return `  ${(names[index] ?? '').padEnd(width)}  ${about.charAt(0).toLowerCase()}${about.slice(1)}`
  })
  return [
    `usage: vid ${group} <command> [flags]`,
    '',
    ...lines,
    '',
    `vid ${group} <command> --help lists the flags of a command.`,
    '',
  ].join('\n')
}

/** The error for a group of commands whose next word is missing or unknown. */
const unknownInGroup = (argv: readonly string[], definitions: readonly Definition[], depth = 1): VidError => {
  const group = argv.slice(0, depth).join(' ')
  const word = argv[depth]
  const words = [...new Set(definitions.map((definition) => wordsOf(definition)[depth] ?? ''))]
  if (word === undefined || word.startsWith('-'))
    return fail('VID_USAGE', {
      command: group,
      reason: `one of its commands is missing: ${words.join(', ')}`,
    })
  const inner = definitions.filter((definition) => wordsOf(definition)[depth] === word)
  if (inner.length > 0) return unknownInGroup(argv, inner, depth + 1)
  const near = nearest(word, words)
  return fail('VID_COMMAND_UNKNOWN', { command: `${group} ${word}`, near: near && `${group} ${near}` })
}

/** How a command line is run. */
export interface LineOptions {
  /** Returns the formats that `--help` names; called for nothing else. */
  facts?(): Promise<FormatFacts>
}

const cliOf = (commands: readonly AnyCommand[], facts?: FormatFacts) =>
  Cli.from<LineContext>(
    commands.map((command) => commandClass(command, facts)),
    options,
  )

/** Shows the help of a command whose lines about flags name the formats of the config. */
const showHelp = async (
  argv: readonly string[],
  commands: readonly AnyCommand[],
  { stdout }: CommandContext,
  { facts }: LineOptions,
) => {
  const definitions = cliOf(commands, await facts?.()).definitions()
  // The first word of a longer command shows the help of the whole one.
  const definition = definitions.length === 1 ? definitions[0] : chosen(argv, definitions)
  if (!definition) throw unknownInGroup(argv, definitions)
  const { columns } = stdout as { readonly columns?: number }
  stdout.write(helpText(definition, columns))
  return 0
}

/** The words before `--`, among which flags are. */
export const flagWords = (argv: readonly string[]): readonly string[] =>
  argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)

/** Finds the command of a first word that the line names, and runs it; resolves to the exit code, and rejects with the error. */
export const runLine = async (
  argv: readonly string[],
  commands: readonly AnyCommand[],
  context: CommandContext,
  lineOptions: LineOptions = {},
): Promise<number> => {
  const [first = ''] = argv
  const wantsHelp = flagWords(argv).some((word) => word === '--help' || word === '-h')
  const cli = cliOf(commands)
  const definitions = cli.definitions()
  const command = chosen(argv, definitions)
  const hasWords = definitions.some((definition) => wordsOf(definition).length > 1)
  const isGroup = hasWords && definitions.length > 1
  if (isGroup && !command && wantsHelp) {
    context.stdout.write(groupText(first, definitions))
    return 0
  }
  if (wantsHelp) return showHelp(argv, commands, context, lineOptions)
  if (hasWords && !command) throw unknownInGroup(argv, definitions)
  const flags = (command ? [command] : definitions).flatMap(({ options }) =>
    options.map(({ definition }) => ({
      names: (definition.split(' ')[0] ?? '').split(','),
      takesValue: definition.includes(' '),
    })),
  )
  let parsed: ReturnType<typeof cli.process>
  try {
    const words = separateNumbers(tieNumbers(argv, flags), flags, command ? wordsOf(command).length : argv.length)
    parsed = cli.process([...words], { ...context, colorDepth: 1 } as LineContext)
  } catch (thrown) {
    throw usageError(thrown, command ? wordsOf(command).join(' ') : first, flagWords(argv), { commands, flags })
  }
  return parsed.validateAndExecute()
}
