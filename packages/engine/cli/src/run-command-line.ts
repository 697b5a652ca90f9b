import type { CommandContext } from '@vid/command'
import { type FormatFacts, runLine } from '@vid/command/line'
import { findCommands } from './find-commands.ts'

/** The formats of the current folder's config; those of the encoders that come with vid where it cannot be loaded. */
const formatFacts = async ({ cwd, env, unguarded }: CommandContext): Promise<FormatFacts> => {
  const { encoderFacts, openContext } = await import('@vid/render')
  return encoderFacts(await openContext({ cwd, env, configFrom: 'cwd', loading: unguarded }))
}

/** Finds the command that a command line names, and runs it; resolves to the exit code, and rejects with the error. */
export const runCommandLine = async (argv: readonly string[], context: CommandContext): Promise<number> =>
  runLine(argv, await findCommands(argv, context), context, { facts: () => formatFacts(context) })
