import type { Command } from 'clipanion'
import type { FormatFacts } from './flags/flag.ts'
import type { CliContext } from './flags/flag-command.ts'

/** A command as clipanion makes it; `facts` are for --help. */
export type CommandType = new (facts?: FormatFacts) => Command<CliContext>
