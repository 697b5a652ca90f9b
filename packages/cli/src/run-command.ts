import { Cli } from 'clipanion'
import { commands } from './commands.ts'
import { fail } from './errors.ts'
import type { CliContext } from './flag-command.ts'
import { nearest } from './nearest.ts'

/** The coded error for words that fit no command. */
const usageError = (thrown: unknown, command: string, known: readonly string[]) => {
  if (!(thrown instanceof Error) || !('clipanion' in thrown)) return thrown
  const reason = thrown.message.split('\n')[0] ?? ''
  const flag = /Unsupported option name \("(.*)"\)/.exec(reason)?.[1]
  if (flag === undefined) return fail('VID_USAGE', { command, reason }, { cause: thrown })
  return fail('VID_FLAG_UNKNOWN', { flag, command, near: nearest(flag, known) }, { cause: thrown })
}

/** Finds the command that the words name, and runs it. */
export const runCommand = async (
  argv: readonly string[],
  context: CliContext,
  flagWords: readonly string[],
): Promise<number> => {
  const first = argv[0] ?? ''
  const entry = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (!entry)
    throw fail('VID_COMMAND_UNKNOWN', { command: first, near: nearest(first, Object.keys(commands)) })
  const cli = Cli.from<CliContext>([...(await entry.load())], { binaryName: 'vid', enableColors: false })
  if (flagWords.some((word) => word === '--help' || word === '-h')) return cli.run([...argv], context)
  const known = cli
    .definitions()
    .flatMap(({ options }) => options.flatMap(({ definition }) => definition.split(/[ ,]/)))
    .filter((word) => word.startsWith('--'))
  let command: ReturnType<typeof cli.process>
  try {
    command = cli.process([...argv], context)
  } catch (thrown) {
    throw usageError(thrown, first, known)
  }
  return command.validateAndExecute()
}
