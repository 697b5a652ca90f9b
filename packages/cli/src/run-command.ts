import { nearest, type VidError } from '@vid/kernel'
import { Cli } from 'clipanion'
import type { CommandType } from './command-type.ts'
import { commands, isCommand } from './commands.ts'
import { fail } from './errors.ts'
import type { FormatFacts } from './flags/flag.ts'
import type { CliContext } from './flags/flag-command.ts'
import { helpText } from './flags/help-text.ts'

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

/** The coded error for words that fit no command. */
const usageError = (thrown: unknown, command: string, flags: readonly KnownFlag[]) => {
  const { candidates, message } = thrown as Error & { candidates?: readonly { reason: string | null }[] }
  const [first = '', ...others] = message.split('\n').filter((line) => line.trim() !== '')
  const reason =
    candidates?.find((candidate) => candidate.reason)?.reason ??
    (first.endsWith(':') ? `${first}${others[0]?.replace(/^\W*/, ' ') ?? ''}` : first)
  const flag = /(?:Unsupported|Invalid) option name \("([^=]*).*"\)/s.exec(reason)?.[1]
  const names = flags.flatMap((known) => known.names)
  const [, surplus] = /^Extraneous positional argument \("(.*)"\)/s.exec(reason) ?? []
  if (surplus !== undefined)
    return fail(
      'VID_USAGE',
      {
        command,
        reason: `"${surplus}" is one word too many; a path with spaces needs quotes`,
      },
      { cause: thrown },
    )
  const [, lacking] = /^Not enough arguments to option (.*)\.$/.exec(reason) ?? []
  if (lacking !== undefined)
    return fail('VID_USAGE', { command, reason: `${lacking} needs a value` }, { cause: thrown })
  if (flag === undefined) return fail('VID_USAGE', { command, reason }, { cause: thrown })
  if (names.includes(flag)) return fail('VID_USAGE', { command, reason: `${flag} takes no value` }, { cause: thrown })
  return fail('VID_FLAG_UNKNOWN', { flag, command, near: nearest(flag, names) }, { cause: thrown })
}

/** The formats of the current folder's config; those of the encoders that come with vid where it cannot be loaded. */
const formatFacts = async ({ cwd, env, unguarded }: CliContext): Promise<FormatFacts> => {
  const { encoderFacts, openContext } = await import('@vid/render')
  return encoderFacts(await openContext({ cwd, env, configFrom: 'cwd', loading: unguarded }))
}

/** The same command with its flags described by `facts`; clipanion makes commands without arguments. */
const describedBy = (type: CommandType, facts: FormatFacts): CommandType =>
  new Proxy(type, { construct: (Type) => new Type(facts) })

/** Shows the help of a command whose lines about flags name the formats of the config. */
const showHelp = async (argv: readonly string[], types: readonly CommandType[], context: CliContext) => {
  const facts = await formatFacts(context)
  const cli = Cli.from<CliContext>(
    types.map((type) => describedBy(type, facts)),
    options,
  )
  const definitions = cli.definitions()
  // The first word of a longer command shows the help of the whole one.
  const definition = definitions.length === 1 ? definitions[0] : chosen(argv, definitions)
  if (!definition) throw unknownInGroup(argv, definitions)
  const { columns } = context.stdout as { readonly columns?: number }
  context.stdout.write(helpText(definition, columns))
  return 0
}
const options = { binaryName: 'vid', enableColors: false }

/** A command as clipanion describes it. */
type Definition = ReturnType<Cli<CliContext>['definitions']>[number]

/** The words of a command after `vid`. */
const wordsOf = ({ path }: Definition): string[] => path.split(' ').slice(1)

/** The command that the words begin with; undefined where they name none. */
const chosen = (argv: readonly string[], definitions: readonly Definition[]): Definition | undefined =>
  definitions.find((each) => wordsOf(each).every((word, index) => argv[index] === word))

/** The commands of a first word that has several, one line for each. */
const groupText = (group: string, definitions: readonly Definition[]): string => {
  const names = definitions.map((each) => `vid ${wordsOf(each).join(' ')}`)
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
  const known = [...new Set(definitions.map((each) => wordsOf(each)[depth] ?? ''))]
  if (word === undefined || word.startsWith('-'))
    return fail('VID_USAGE', {
      command: group,
      reason: `one of its commands is missing: ${known.join(', ')}`,
    })
  const inner = definitions.filter((each) => wordsOf(each)[depth] === word)
  if (inner.length > 0) return unknownInGroup(argv, inner, depth + 1)
  const near = nearest(word, known)
  return fail('VID_COMMAND_UNKNOWN', { command: `${group} ${word}`, near: near && `${group} ${near}` })
}

/** Finds the command that the words name, and runs it. */
export const runCommand = async (argv: readonly string[], context: CliContext, wantsHelp: boolean): Promise<number> => {
  const first = argv[0] ?? ''
  const entry = isCommand(first) ? commands[first] : undefined
  if (!entry) throw fail('VID_COMMAND_UNKNOWN', { command: first, near: nearest(first, Object.keys(commands)) })
  const types = await entry.load()
  const cli = Cli.from<CliContext>([...types], options)
  const definitions = cli.definitions()
  const command = chosen(argv, definitions)
  const isGroup = definitions.length > 1
  if (isGroup && !command && wantsHelp) {
    context.stdout.write(groupText(first, definitions))
    return 0
  }
  if (wantsHelp) return showHelp(argv, types, context)
  if (isGroup && !command) throw unknownInGroup(argv, definitions)
  const flags = (command ? [command] : definitions).flatMap(({ options }) =>
    options.map(({ definition }) => ({
      names: (definition.split(' ')[0] ?? '').split(','),
      takesValue: definition.includes(' '),
    })),
  )
  let found: ReturnType<typeof cli.process>
  try {
    found = cli.process(tieNumbers(argv, flags), context)
  } catch (thrown) {
    throw usageError(thrown, command ? wordsOf(command).join(' ') : first, flags)
  }
  return found.validateAndExecute()
}
