import type { Command } from 'clipanion'
import type { FormatFacts } from './flags/flag.ts'
import type { CliContext } from './flags/flag-command.ts'

/** A command as clipanion makes it; `facts` are for --help. */
export type CommandType = new (facts?: FormatFacts) => Command<CliContext>

/** A first word of the command line; its code is imported only when it is used. */
export interface CommandEntry {
  readonly about: string
  load(): Promise<readonly CommandType[]>
}
